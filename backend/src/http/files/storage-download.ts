import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { OpenObject } from '../../storage/objects/bucket.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { etagOf, type StoredObject } from '../../storage/objects/stored-object.ts';
import { parseByteRange } from './byte-range.ts';
import type { Exchange } from '../exchange.ts';

/**
 * The policy of files, which users upload and the app's own origin serves:
 *
 * - opened as a page they have no scripts, no forms and an opaque origin (`sandbox`), even HTML and SVG;
 * - they cannot be loaded as scripts, styles, workers or frames, which the policy of the app would allow;
 * - browsers keep to the declared type (`nosniff`, set by the router), which is never a script.
 */
const contentPolicy =
  "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";
const destinations = new Set(['empty', 'image', 'audio', 'video', 'track', 'document']);
const scriptType = /script|wasm/i;
const defaultCacheControl = 'private, max-age=0';

export function checkDestination(headers: IncomingHttpHeaders): void {
  const destination = headers['sec-fetch-dest'];
  const isFine = destination === undefined || destinations.has(destination);
  if (!isFine || headers['service-worker'] !== undefined) {
    throw new StorageError('denied', 'Files cannot be loaded as code.');
  }
}

/** Sends the contents of an object and closes the file. */
export async function sendObject(
  { request, response, resources }: Exchange,
  { object, file }: OpenObject,
): Promise<void> {
  const transfer = resources.transfers.begin(() => response.destroy(), {
    bytes: 1,
    inMs: resources.limits.stalledFileMs,
  });
  try {
    const answer = answerFor(object, request);
    response.writeHead(answer.status, { ...headersOf(object), ...answer.headers });
    if (request.method === 'HEAD' || answer.range === null) return void response.end();
    const contents = file.createReadStream({ ...answer.range, autoClose: false });
    contents.on('data', (piece) => transfer.moved(piece.length));
    // A client that disconnected is no error.
    await pipeline(contents, response).catch(() => undefined);
  } finally {
    transfer.ended();
    await file.close();
  }
}

/** An answer without a range has no body. */
function answerFor(object: StoredObject, { method, headers }: Exchange['request']) {
  const { size } = object;
  if (isCurrent(object, headers)) return { status: 304, headers: {}, range: null };
  // Parts must be of the same version, which `If-Range` names.
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || ifRange === quotedEtag(object);
  // Ranges are defined for GET only (RFC 9110, 14.2).
  const range = isSame && method === 'GET' ? parseByteRange(headers.range, size) : null;
  if (range === 'unsatisfiable') {
    const contentRange = { 'Content-Range': `bytes */${size}`, 'Content-Length': 0 };
    return { status: 416, headers: contentRange, range: null };
  }
  if (range !== null) {
    const contentRange = `bytes ${range.start}-${range.end}/${size}`;
    const length = range.end - range.start + 1;
    const partial = { 'Content-Range': contentRange, 'Content-Length': length };
    return { status: 206, headers: partial, range };
  }
  const all = size === 0 ? null : { start: 0, end: size - 1 };
  return { status: 200, headers: { 'Content-Length': size }, range: all };
}

const quotedEtag = (object: StoredObject): string => `"${etagOf(object)}"`;

function isCurrent(object: StoredObject, headers: IncomingHttpHeaders): boolean {
  const etags = headers['if-none-match'] ?? '';
  const known = etags.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(quotedEtag(object));
}

function headersOf(object: StoredObject): OutgoingHttpHeaders {
  const { contentType, contentDisposition, contentEncoding, contentLanguage, cacheControl } =
    object.settings;
  return {
    'Content-Type': headerText(scriptType.test(contentType) ? 'text/plain' : contentType),
    'Content-Disposition': headerText(contentDisposition),
    ...(contentEncoding === 'identity' ? {} : { 'Content-Encoding': headerText(contentEncoding) }),
    ...(contentLanguage === null ? {} : { 'Content-Language': headerText(contentLanguage) }),
    'Cache-Control': headerText(cacheControl ?? defaultCacheControl),
    'Content-Security-Policy': contentPolicy,
    'Accept-Ranges': 'bytes',
    ETag: quotedEtag(object),
  };
}

/** Encodes header text as UTF-8 bytes, which browsers decode. */
const headerText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
