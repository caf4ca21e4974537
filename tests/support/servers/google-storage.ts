import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import { sendJson, type Exchange } from '../../../backend/src/http/exchange.ts';
import type { Expected, VersionedFile, VersionedFiles } from '../fakes/versioned-files.ts';

/** The path of a file or of the list of files. The API serves it with and without the prefix `/download`. */
const bucketPath = /^(?:\/download)?(?:\/storage\/v1)?\/b\/[^/]+\/o(?:\/([^/]+))?$/;
const patchSchema = v.object({ metadata: v.record(v.string(), v.nullable(v.string())) });

/** Answers the part of Storage's JSON API that the functions need. */
export async function answerStorage(exchange: Exchange, files: VersionedFiles): Promise<void> {
  const { request, response, url } = exchange;
  const found = bucketPath.exec(url.pathname);
  if (found === null) return sendError(exchange, 404);
  const name = decodeURIComponent(found[1] ?? '');
  if (name === '') return sendPage(exchange, files);
  if (request.method === 'DELETE') {
    return sendAnswer(exchange, files.delete(expectedIn(name, url)), {});
  }
  if (request.method === 'PATCH') {
    const { metadata } = v.parse(patchSchema, await json(request));
    const answer = files.patch(expectedIn(name, url), metadata);
    return sendAnswer(exchange, answer, toJson(files.get(name)));
  }
  const file = files.get(name);
  if (file === null) return sendError(exchange, 404);
  if (url.searchParams.get('alt') !== 'media') return sendJson(response, 200, toJson(file));
  sendBytes(exchange, file);
}

function sendPage({ response, url }: Exchange, files: VersionedFiles): void {
  const page = files.page({
    prefix: url.searchParams.get('prefix') ?? '',
    limit: Number(url.searchParams.get('maxResults')),
    after: url.searchParams.get('pageToken'),
    startOffset: url.searchParams.get('startOffset') ?? '',
  });
  sendJson(response, 200, {
    items: page.files.map(toJson),
    ...(page.next === null ? {} : { nextPageToken: page.next }),
  });
}

const expectedIn = (name: string, { searchParams }: URL): Expected => ({
  name,
  generation: searchParams.get('ifGenerationMatch') ?? undefined,
  metageneration: searchParams.get('ifMetagenerationMatch') ?? undefined,
});

/** Returns the JSON that Google sends: numbers are strings, and empty metadata is left out. */
function toJson(file: VersionedFile | null) {
  if (file === null) return {};
  const { name, metadata } = file;
  return {
    name,
    generation: String(file.generation),
    metageneration: String(file.metageneration),
    size: String(file.bytes.length),
    timeCreated: new Date(file.createdMs).toISOString(),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function sendAnswer(
  exchange: Exchange,
  answer: ReturnType<VersionedFiles['delete']>,
  body: object,
): void {
  if (answer === 'done') sendJson(exchange.response, 200, body);
  else sendError(exchange, answer === 'missing' ? 404 : 412);
}

const sendError = ({ response }: Exchange, code: number): void =>
  sendJson(response, code, { error: { code } });

function sendBytes({ response }: Exchange, { bytes }: VersionedFile): void {
  const md5 = createHash('md5').update(bytes).digest('base64');
  response.writeHead(200, { 'Content-Length': bytes.length, 'x-goog-hash': `md5=${md5}` });
  response.end(bytes);
}
