import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isJsonObject, parseJson, type JsonObject } from '../../../src/json.ts';
import { noise } from '../../support/clients/storage-user.ts';
import type { WireAnswer, WireRequest } from '../../support/clients/wire.ts';
import { ask, type Entrance, type Lane, type Step } from './lane.ts';
import { askStorageNonsense, storagePath } from './storage-nonsense.ts';

interface KnownFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

interface StorageLane {
  readonly lane: Lane;
  /** The last acknowledged state of the files of this lane, by name. */
  readonly files: Map<string, KnownFile>;
  readonly folder: string;
}

const sizes = [0, 1, 2, 1000, 65_536, 70_001, 300_000];
const triedNames = [
  'a',
  'b.txt',
  'sub/c',
  'sub/d',
  'sub/deep/e',
  'ä😀',
  'a%2fb',
  'a b+c&d=e',
  '../x',
  'x'.repeat(600),
];
const types = ['text/plain', 'image/png', 'application/octet-stream'];
/** The statuses of a request that is refused by a limit. */
const overLimit = new Set([429, 503, 507]);

/**
 * Uploads in one request, as multipart and in pieces, interrupted or not; downloads ranges; tries metadata, lists, tokens.
 * Every read must give the bytes that were acknowledged last. It also sends requests with malformed parts.
 */
export const storageEntrance: Entrance = (lane) => {
  const storage: StorageLane = { lane, files: new Map(), folder: `fuzz${lane.id}/` };
  const steps: readonly Step[] = [
    () => uploadAtOnce(storage),
    () => uploadInPieces(storage),
    () => download(storage),
    () => download(storage),
    () => compareList(storage),
    () => changeMetadata(storage),
    () => remove(storage),
    () => askStorageNonsense(lane),
    () => askStorageNonsense(lane),
  ];
  return () => lane.random.pick(steps)();
};

const bearer = ({ lane }: StorageLane) => ({ Authorization: `Firebase ${lane.token}` });

const send = (storage: StorageLane, asked: WireRequest): Promise<WireAnswer> =>
  ask(storage.lane, { ...asked, headers: { ...bearer(storage), ...asked.headers } });

const objectPath = (name: string): string => `${storagePath}/${encodeURIComponent(name)}`;
const uploadPath = (name: string): string => `${storagePath}?name=${encodeURIComponent(name)}`;

const anyName = ({ lane, folder }: StorageLane): string => folder + lane.random.pick(triedNames);

function anyFile({ lane: { random } }: StorageLane): KnownFile {
  return { bytes: noise(random.pick(sizes), random.below(1000)), contentType: random.pick(types) };
}

/** Records a file when its upload was acknowledged; a refused upload leaves the former file. */
function noteUpload(
  storage: StorageLane,
  name: string,
  { file, answer }: { file: KnownFile; answer: WireAnswer },
): void {
  if (overLimit.has(answer.status)) return;
  assert.equal(answer.status, 200, answer.bytes.toString());
  const { md5Hash, size } = jsonOf(answer);
  assert.equal(md5Hash, createHash('md5').update(file.bytes).digest('base64'));
  assert.equal(size, String(file.bytes.length));
  storage.files.set(name, file);
}

function jsonOf({ bytes }: WireAnswer): JsonObject {
  const json = parseJson(bytes.toString());
  assert.ok(json.ok && isJsonObject(json.value), `no JSON: ${bytes.toString()}`);
  return json.value;
}

async function uploadAtOnce(storage: StorageLane): Promise<void> {
  const { random } = storage.lane;
  const [name, file] = [anyName(storage), anyFile(storage)];
  const boundary = random.pick(['b', '--', 'x'.repeat(70), '=_a.b:c']);
  const isWrong = random.below(6) === 0;
  const md5Hash = createHash('md5')
    .update(isWrong ? 'other' : file.bytes)
    .digest('base64');
  const metadata = JSON.stringify({
    contentType: file.contentType,
    md5Hash,
    metadata: { n: String(random.below(9)) },
  });
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Type: application/json\r\n\r\n${metadata}\r\n--${boundary}\r\n\r\n`,
    ),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--`),
  ]);
  const headers = {
    'X-Goog-Upload-Protocol': 'multipart',
    'Content-Type': `multipart/related; boundary="${boundary}"`,
  };
  const request = { method: 'POST', path: uploadPath(name), headers, body };
  const mustBreak = random.below(5) === 0;
  if (mustBreak)
    return void (await send(storage, { ...request, breakAfter: random.below(body.length) }));
  const answer = await send(storage, request);
  if (isWrong)
    assert.ok(
      answer.status === 400 || overLimit.has(answer.status),
      `${answer.status} for a wrong hash`,
    );
  else noteUpload(storage, name, { file, answer });
}

/** Uploads pieces of every size; some are interrupted, repeated or sent with a wrong offset. */
async function uploadInPieces(storage: StorageLane): Promise<void> {
  const { random } = storage.lane;
  const [name, file] = [anyName(storage), anyFile(storage)];
  const { bytes, contentType } = file;
  const started = await send(storage, {
    method: 'POST',
    path: uploadPath(name),
    body: JSON.stringify({ contentType }),
    headers: {
      'X-Goog-Upload-Protocol': 'resumable',
      'X-Goog-Upload-Command': 'start',
      ...(random.below(2) === 0
        ? { 'X-Goog-Upload-Header-Content-Length': String(bytes.length) }
        : {}),
    },
  });
  const url = String(started.headers['x-goog-upload-url'] ?? '');
  if (overLimit.has(started.status)) return;
  assert.equal(started.status, 200, started.bytes.toString());
  const { pathname, search } = new URL(url);
  const command = (words: string, more: Partial<WireRequest> = {}) =>
    send(storage, {
      ...more,
      method: 'POST',
      path: pathname + search,
      headers: { 'X-Goog-Upload-Command': words, ...more.headers },
    });

  for (let turns = 0; turns < 50; turns++) {
    if (random.below(30) === 0) return void (await command('cancel'));
    const state = await command('query');
    if (overLimit.has(state.status)) continue;
    assert.equal(state.headers['x-goog-upload-status'], 'active', state.bytes.toString());
    const offset = Number(state.headers['x-goog-upload-size-received']);
    assert.ok(offset <= bytes.length, `${offset} bytes of ${bytes.length}`);
    const end =
      random.below(3) === 0 ? bytes.length : offset + random.below(bytes.length - offset + 1);
    const piece = {
      headers: { 'X-Goog-Upload-Offset': String(offset) },
      body: bytes.subarray(offset, end),
    };
    const trouble = random.below(6);
    if (trouble === 0) {
      const wrong = String(offset + 1 + random.below(9));
      const at = { 'X-Goog-Upload-Offset': wrong };
      const { status, headers } = await command('upload', { ...piece, headers: at });
      assert.ok(status === 400 || overLimit.has(status), `${status} for a wrong offset`);
      if (status === 400) assert.equal(headers['x-goog-upload-size-received'], String(offset));
    } else if (trouble === 1 && end > offset) {
      await command('upload', { ...piece, breakAfter: random.below(end - offset) });
    } else if (end === bytes.length) {
      const answer = await command('upload, finalize', piece);
      if (overLimit.has(answer.status)) continue;
      return noteUpload(storage, name, { file, answer });
    } else {
      const { status, bytes: said } = await command('upload', piece);
      assert.ok(status === 200 || overLimit.has(status), `${status} ${said.toString()}`);
    }
  }
  await command('cancel');
}

async function download(storage: StorageLane): Promise<void> {
  const { random } = storage.lane;
  const name = anyName(storage);
  const file = storage.files.get(name);
  const bytes = file?.bytes ?? new Uint8Array();
  const { range, expected: part } = anyRange(storage, bytes);
  const headers = range === undefined ? {} : { Range: range };
  const method = random.below(5) === 0 ? 'HEAD' : 'GET';
  const expected = method === 'GET' ? part : bytes;
  const answer = await send(storage, { method, path: `${objectPath(name)}?alt=media`, headers });
  if (overLimit.has(answer.status)) return;
  if (file === undefined) return assert.equal(answer.status, 404);
  if (expected === null) return assert.equal(answer.status, 416);
  assert.equal(answer.headers['content-length'], String(expected.length));
  if (method === 'GET')
    assert.ok(Buffer.from(expected).equals(answer.bytes), `${name} ${range ?? ''} has other bytes`);
  return undefined;
}

/** Returns a well-formed range with the bytes that it stands for; null if there are none. */
function anyRange({ lane: { random } }: StorageLane, bytes: Uint8Array) {
  const { length } = bytes;
  const first = random.below(length + 1);
  const last = first + random.below(length + 1);
  switch (random.below(4)) {
    case 0:
      return {
        range: `bytes=${first}-${last}`,
        expected: length === 0 ? bytes : first >= length ? null : bytes.subarray(first, last + 1),
      };
    case 1:
      return {
        range: `bytes=${first}-`,
        expected: length === 0 ? bytes : first >= length ? null : bytes.subarray(first),
      };
    case 2:
      return {
        range: `bytes=-${first + 1}`,
        expected: bytes.subarray(Math.max(0, length - first - 1)),
      };
    default:
      return { range: undefined, expected: bytes };
  }
}

async function compareList(storage: StorageLane): Promise<void> {
  const { lane, files, folder } = storage;
  const prefix = folder + lane.random.pick(['', 'sub/', 'sub/deep/']);
  const maxResults = 1 + lane.random.below(4);
  const listed: string[] = [];
  let token = '';
  do {
    const query = new URLSearchParams({
      prefix,
      delimiter: '/',
      maxResults: String(maxResults),
      ...(token === '' ? {} : { pageToken: token }),
    });
    const answer = await send(storage, {
      method: 'GET',
      path: `${storagePath}?${query.toString()}`,
    });
    if (overLimit.has(answer.status)) return;
    assert.equal(answer.status, 200, answer.bytes.toString());
    const { items, prefixes, nextPageToken } = jsonOf(answer);
    const names = (Array.isArray(items) ? items : []).map((each: unknown) =>
      isJsonObject(each) ? each['name'] : each,
    );
    const folders = Array.isArray(prefixes) ? prefixes : [];
    assert.ok(names.length + folders.length <= maxResults, 'a page is no longer than asked for');
    listed.push(...[...names, ...folders].map(String));
    token = typeof nextPageToken === 'string' ? nextPageToken : '';
  } while (token !== '');
  const below = [...files.keys()]
    .filter((each) => each.startsWith(prefix))
    .map((each) => each.slice(prefix.length));
  const expected = new Set(below.map((each) => prefix + each.replace(/(?<=\/).*/s, '')));
  assert.deepEqual(listed.toSorted(), [...expected].toSorted(), `the list of ${prefix}`);
}

async function changeMetadata(storage: StorageLane): Promise<void> {
  const { random } = storage.lane;
  const name = anyName(storage);
  const file = storage.files.get(name);
  const contentType = random.pick(types);
  const body = JSON.stringify({ contentType });
  const answer = await send(storage, { method: 'PATCH', path: objectPath(name), body });
  if (overLimit.has(answer.status)) return;
  if (file === undefined) return assert.equal(answer.status, 404);
  assert.equal(jsonOf(answer)['contentType'], contentType, answer.bytes.toString());
  storage.files.set(name, { ...file, contentType });
  const { downloadTokens, size } = jsonOf(
    await send(storage, { method: 'GET', path: objectPath(name) }),
  );
  assert.equal(size, String(file.bytes.length));
  const token = encodeURIComponent(String(downloadTokens));
  const shared = await ask(storage.lane, {
    method: 'GET',
    path: `${objectPath(name)}?alt=media&token=${token}`,
  });
  assert.ok(Buffer.from(file.bytes).equals(shared.bytes), `${name} by its token has other bytes`);
  const wrong = await ask(storage.lane, {
    method: 'GET',
    path: `${objectPath(name)}?alt=media&token=${token}x`,
  });
  return assert.ok(wrong.status >= 400, "a token that is not the file's opens nothing");
}

async function remove(storage: StorageLane): Promise<void> {
  const name = anyName(storage);
  const { status } = await send(storage, { method: 'DELETE', path: objectPath(name) });
  if (overLimit.has(status)) return;
  assert.equal(status, storage.files.delete(name) ? 204 : 404);
}
