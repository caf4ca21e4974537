import type { IncomingMessage, ServerResponse } from 'node:http';
import type { User } from '../../caller.ts';
import { isJsonObject, parseJson, type JsonObject } from '../../json.ts';
import { defaultSettings, mergeSettings } from '../../storage/objects/object-settings.ts';
import { WrongOffsetError, type UploadState } from '../../storage/uploads/resumable-uploads.ts';
import { StorageError, invalid, notFound } from '../../storage/storage-error.ts';
import type { Storage } from '../../storage/storage.ts';
import type { UploadBody } from '../../storage/uploads/takeover.ts';
import { toJson, type StoredObject } from '../../storage/objects/stored-object.ts';
import { sendJson, sendText, type Exchange } from '../exchange.ts';
import { maxMetadataBytes, readMultipart } from './multipart-related.ts';
import { piecesInTurn, readBody } from '../read-body.ts';

/** An authenticated request to Storage. */
export interface StorageCall {
  readonly storage: Storage;
  /** Its client is the user. */
  readonly exchange: Exchange;
  readonly user: User;
}

/** Handles the two ways to upload: metadata and bytes in one request, or in pieces. */
export async function handleUpload(call: StorageCall): Promise<void> {
  const { storage, exchange } = call;
  const { request, response, url } = exchange;
  const command = headerOf(request, 'x-goog-upload-command').toLowerCase();
  const id = url.searchParams.get('upload_id');
  if (id !== null) return handlePiece(call, id, command);
  const name = url.searchParams.get('name') ?? '';
  if (command === 'start') return start(call, name);
  sendObjectJson(response, await multipart(call, name), storage);
}

async function multipart({ storage, exchange, user }: StorageCall, name: string) {
  const { request } = exchange;
  const { metadata, contentType, announcedSize, contents, close } = await readMultipart(
    uploadBody(exchange).bytes,
    {
      contentType: request.headers['content-type'] ?? '',
      contentLength: numberOf(request, 'content-length'),
    },
  );
  try {
    const target = targetOf(parseMetadata(metadata), contentType);
    return await storage.upload(user, { ...target, name, announcedSize, body: contents });
  } finally {
    await close();
  }
}

async function start({ storage, exchange, user }: StorageCall, name: string) {
  const { request, response } = exchange;
  const json = await readMetadata(exchange);
  const type = headerOf(request, 'x-goog-upload-header-content-type');
  const { id } = await storage.resumable.start(user, {
    ...targetOf(json, type),
    name,
    announcedSize: numberOf(request, 'x-goog-upload-header-content-length'),
  });
  const url = uploadUrl(exchange, { name, id, bucket: storage.bucket.name });
  response.setHeader('X-Goog-Upload-URL', url);
  setState(response, { received: 0, finished: null });
  sendText(response, 200, '');
}

async function handlePiece(
  { storage, exchange, user }: StorageCall,
  id: string,
  command: string,
): Promise<void> {
  const { request, response } = exchange;
  const words = new Set(command.split(',').map((word) => word.trim()));
  const { resumable } = storage;
  if (words.has('query')) {
    setState(response, await resumable.query(user, id));
    return sendText(response, 200, '');
  }
  if (words.has('cancel')) {
    await resumable.cancel(user, id);
    response.setHeader('X-Goog-Upload-Status', 'cancelled');
    return sendText(response, 200, '');
  }
  if (!words.has('upload') && !words.has('finalize')) throw invalid('Unknown upload command.');
  const offset = numberOf(request, 'x-goog-upload-offset');
  if (offset === null && words.has('upload')) throw invalid('The upload needs an offset.');
  const piece = { offset, body: uploadBody(exchange), isLast: words.has('finalize') };
  try {
    const state = await resumable.write(user, id, piece);
    setState(response, state);
    if (state.finished === null) sendText(response, 200, '');
    else sendObjectJson(response, state.finished, storage);
  } catch (error) {
    if (error instanceof WrongOffsetError) {
      setState(response, { received: error.received, finished: null });
    }
    throw error;
  }
}

/** Streams a request body. It reads the next piece after the last one is consumed, so a slow disk slows the sender down. */
function uploadBody({ request, resources, client }: Exchange): UploadBody {
  const abort = () => void request.destroy();
  async function* pieces() {
    const { stalledBodyBytes: bytes, stalledFileMs: inMs } = resources.limits;
    const transfer = resources.transfers.begin(abort, { bytes, inMs });
    try {
      for await (const piece of piecesInTurn(request, resources, client)) {
        transfer.moved(piece.length);
        yield piece;
      }
    } catch {
      throw new StorageError('interrupted', 'The body ended before it was complete.');
    } finally {
      transfer.ended();
    }
  }
  return { bytes: pieces(), abort };
}

function setState(response: ServerResponse, { received, finished }: UploadState): void {
  response.setHeader('X-Goog-Upload-Status', finished === null ? 'active' : 'final');
  response.setHeader('X-Goog-Upload-Size-Received', received);
}

export const sendObjectJson = (
  response: ServerResponse,
  object: StoredObject,
  storage: Storage,
): void => sendJson(response, 200, toJson(object, storage.bucket.name));

function targetOf(json: JsonObject, contentType: string | null) {
  const { md5Hash } = json;
  return {
    settings: mergeSettings(mergeSettings(defaultSettings, { contentType }), json),
    md5Hash: typeof md5Hash === 'string' && md5Hash !== '' ? md5Hash : null,
  };
}

/** Reads a body that is metadata alone. */
export async function readMetadata(exchange: Exchange): Promise<JsonObject> {
  const body = await readBody(exchange, { maxBytes: maxMetadataBytes });
  if (!body.ok) throw invalid('The metadata is too long.');
  return parseMetadata(body.bytes.toString());
}

function parseMetadata(text: string): JsonObject {
  const json = parseJson(text.trim() === '' ? '{}' : text);
  if (!json.ok || !isJsonObject(json.value)) throw invalid('The metadata must be a JSON object.');
  return json.value;
}

/** Returns the whole number in a header; null when the request does not have the header. */
function numberOf(request: IncomingMessage, name: string): number | null {
  const text = headerOf(request, name);
  if (text === '') return null;
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw invalid('Not a whole number.');
  return number;
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** Returns the URL of an upload at the requested host; a proxy or the page may name the scheme in a header. */
function uploadUrl(
  { request }: Exchange,
  { bucket, name, id }: { bucket: string; name: string; id: string },
): string {
  const { host } = request.headers;
  if (host === undefined) throw notFound();
  const isSecure =
    'encrypted' in request.socket ||
    headerOf(request, 'x-forwarded-proto') === 'https' ||
    headerOf(request, 'origin').startsWith('https:');
  const query = new URLSearchParams({ name, upload_id: id, upload_protocol: 'resumable' });
  const path = `/v0/b/${encodeURIComponent(bucket)}/o?${query.toString()}`;
  return `${isSecure ? 'https' : 'http'}://${host}${path}`;
}
