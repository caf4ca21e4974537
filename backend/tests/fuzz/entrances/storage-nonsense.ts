import assert from 'node:assert/strict';
import type { WireRequest } from '../../support/clients/wire.ts';
import { maybeMutated, mutateJson, mutateText, nasty } from '../input/mutations.ts';
import { ask, type Lane } from './lane.ts';

export const storagePath = '/v0/b/demo-pawpals.appspot.com/o';

const nonsenseNames = [
  '',
  '.',
  '..',
  '/',
  'a/../../b',
  '\0',
  '\r\nX: y',
  '\ud800',
  'x'.repeat(2000),
  '.well-known/acme-challenge/a',
];

/** Sends requests that no client makes, to names that the model does not use. */
export async function askStorageNonsense(lane: Lane): Promise<void> {
  const { random, token } = lane;
  const send = (asked: WireRequest) =>
    ask(lane, { ...asked, headers: { Authorization: `Firebase ${token}`, ...asked.headers } });
  const name = encode(random.pick([...nonsenseNames, mutateText(random, 'nonsense/a')]));
  const number = () => String(nasty(random)).replaceAll(/[^\x20-\x7e]/g, '');
  const metadata = JSON.stringify(
    mutateJson(random, { contentType: 'a/b', cacheControl: 'x', metadata: { a: 'b' } }),
  );
  const multipart = `--b\r\nContent-Type: application/json\r\n\r\n${metadata}\r\n--b\r\nX: y\r\n\r\nabc\r\n--b--`;
  const protocol = random.pick(['multipart', 'resumable', 'raw', '']);
  const request = random.pick<WireRequest>([
    {
      method: 'GET',
      path: `${storagePath}?prefix=${name}&pageToken=${encode(number())}&maxResults=${encode(number())}`,
    },
    {
      method: 'GET',
      path: `${storagePath}/${name}?alt=media&token=${name}`,
      headers: { Range: `bytes=${number()}-${number()}` },
    },
    { method: 'PATCH', path: `${storagePath}/${name}`, body: metadata },
    {
      method: random.pick(['POST', 'PUT', 'DELETE', 'HEAD']),
      path: `${storagePath}/${name}`,
      body: metadata,
    },
    { method: 'GET', path: `/v0/b/${name}/o/${name}` },
    {
      method: 'POST',
      path: `${storagePath}?name=nonsense%2f${name}&upload_id=${name}`,
      headers: {
        'X-Goog-Upload-Command': random.pick(['upload', 'finalize', 'query', 'cancel', 'x']),
        'X-Goog-Upload-Offset': number(),
      },
      body: metadata,
    },
    {
      method: 'POST',
      path: `${storagePath}?name=nonsense%2f${name}`,
      headers: {
        'X-Goog-Upload-Protocol': protocol,
        'X-Goog-Upload-Command': random.pick(['start', 'cancel', 'query']),
        'X-Goog-Upload-Header-Content-Length': number(),
        'Content-Type': random.pick([
          'multipart/related; boundary=b',
          'multipart/related',
          'a'.repeat(500),
        ]),
      },
      body: maybeMutated(random, random.below(2) === 0 ? multipart : metadata),
    },
    {
      method: 'POST',
      path: `${storagePath}?name=nonsense%2f${name}`,
      headers: {
        'X-Goog-Upload-Protocol': protocol,
        'Content-Type': 'multipart/related; boundary=b',
      },
      body: maybeMutated(random, multipart),
    },
  ]);
  const { status } = await send(request);
  assert.ok(status < 500 || status === 503, `status ${status}`);
  if (status === 200) await send({ method: 'DELETE', path: `${storagePath}/nonsense%2f${name}` });
}

/** Encodes a text; a lone surrogate cannot be encoded, and is replaced. */
const encode = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '%'));
