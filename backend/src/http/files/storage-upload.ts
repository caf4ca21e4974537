import type { IncomingMessage, ServerResponse } from 'node:http';
import type { User } from '../../caller.ts';
import { isJsonObject, parseJson, type JsonObject } from '../../json.ts';
import { defaultSettings, mergeSettings } from '../../storage/objects/object-settings.ts';
import { WrongOffsetError, type UploadState } from '../../storage/uploads/resumable-uploads.ts';
import { invalid, notFound } from '../../storage/storage-error.ts';
import type { Storage } from '../../storage/storage.ts';
import { toJson, type StoredObject } from '../../storage/objects/stored-object.ts';
import { sendJson, sendText, type Exchange } from '../exchange.ts';
import { maxMetadataBytes, readMultipart } from './multipart-related.ts';
import { readBody } from '../read-body.ts';
import { uploadBody } from './upload-body.ts';

/** Handles the three ways to upload: metadata and bytes in one request, the bytes alone, or in pieces. */
export async function handleUpload(
  storage: Storage,
  exchange: Exchange,
  user: User,
): Promise<void> {
  const { request, response, url } = exchange;
  const command = headerOf(request, 'x-goog-upload-command').toLowerCase();
  const protocol = headerOf(request, 'x-goog-upload-protocol').toLowerCase();
  const id = url.searchParams.get('upload_id');
  if (id !== null) return handlePiece(storage, exchange, { user, id, command });
  const name = url.searchParams.get('name') ?? '';
  if (command === 'start') return start(storage, exchange, { user, name });
  const object =
    protocol === 'multipart'
      ? await multipart(storage, exchange, { user, name })
      : await raw(storage, exchange, { user, name });
  sendObjectJson(response, object, storage);
}

interface Target {
  readonly user: User;
  readonly name: string;
}

async function multipart(
  storage: Storage,
  exchange: Exchange,
  { user, name }: Target,
): Promise<StoredObject> {
  const { request } = exchange;
  const { metadata, contentType, announcedSize, contents, close } = await readMultipart(
    uploadBody(exchange).bytes,
    { contentType: request.headers['content-type'] ?? '', contentLength: lengthOf(request) },
  );
  try {
    const target = targetOf(parseMetadata(metadata), contentType);
    return await storage.upload(user, { ...target, name, announcedSize, body: contents });
  } finally {
    await close();
  }
}

async function raw(
  storage: Storage,
  exchange: Exchange,
  { user, name }: Target,
): Promise<StoredObject> {
  const { request } = exchange;
  const target = targetOf({}, request.headers['content-type'] ?? null);
  const body = uploadBody(exchange).bytes;
  return storage.upload(user, { ...target, name, announcedSize: lengthOf(request), body });
}

async function start(storage: Storage, exchange: Exchange, { user, name }: Target) {
  const { request, response } = exchange;
  const body = await readBody(exchange, { maxBytes: maxMetadataBytes });
  if (!body.ok) throw invalid('The metadata is too long.');
  const json = parseMetadata(body.bytes.toString());
  const announced = headerOf(request, 'x-goog-upload-header-content-length');
  const type = headerOf(request, 'x-goog-upload-header-content-type');
  const session = await storage.resumable.start(user, {
    ...targetOf(json, type),
    name,
    announcedSize: announced === '' ? null : wholeNumber(announced),
  });
  const url = uploadUrl(exchange, { name, id: session.id, bucket: storage.bucket.name });
  response.setHeader('X-Goog-Upload-URL', url);
  sendActive(response, 0);
}

interface Piece {
  readonly user: User;
  readonly id: string;
  readonly command: string;
}

async function handlePiece(
  storage: Storage,
  exchange: Exchange,
  { user, id, command }: Piece,
): Promise<void> {
  const { request, response } = exchange;
  const words = new Set(command.split(',').map((word) => word.trim()));
  const { resumable } = storage;
  if (words.has('query')) {
    const state = await resumable.query(user, id);
    return sendState(response, state, { storage, hasBody: false });
  }
  if (words.has('cancel')) {
    await resumable.cancel(user, id);
    response.setHeader('X-Goog-Upload-Status', 'cancelled');
    return sendText(response, 200, '');
  }
  if (!words.has('upload') && !words.has('finalize')) throw invalid('Unknown upload command.');
  const offset = headerOf(request, 'x-goog-upload-offset');
  if (offset === '' && words.has('upload')) throw invalid('The upload needs an offset.');
  const piece = {
    offset: offset === '' ? null : wholeNumber(offset),
    body: uploadBody(exchange),
    isLast: words.has('finalize'),
  };
  try {
    const state = await resumable.write(user, id, piece);
    sendState(response, state, { storage, hasBody: true });
  } catch (error) {
    if (error instanceof WrongOffsetError) setReceived(response, 'active', error.received);
    throw error;
  }
}

function sendState(
  response: ServerResponse,
  { received, finished }: UploadState,
  { storage, hasBody }: { storage: Storage; hasBody: boolean },
): void {
  if (finished === null) return sendActive(response, received);
  setReceived(response, 'final', received);
  if (hasBody) sendObjectJson(response, finished, storage);
  else sendText(response, 200, '');
}

function sendActive(response: ServerResponse, received: number): void {
  setReceived(response, 'active', received);
  sendText(response, 200, '');
}

function setReceived(response: ServerResponse, status: 'active' | 'final', received: number): void {
  response.setHeader('X-Goog-Upload-Status', status);
  response.setHeader('X-Goog-Upload-Size-Received', received);
}

const sendObjectJson = (response: ServerResponse, object: StoredObject, storage: Storage): void =>
  sendJson(response, 200, toJson(object, storage.bucket.name));

function targetOf(json: JsonObject, contentType: string | null) {
  const { md5Hash } = json;
  return {
    settings: mergeSettings(mergeSettings(defaultSettings, { contentType }), json),
    md5Hash: typeof md5Hash === 'string' && md5Hash !== '' ? md5Hash : null,
  };
}

export function parseMetadata(text: string): JsonObject {
  const json = parseJson(text.trim() === '' ? '{}' : text);
  if (!json.ok || !isJsonObject(json.value)) throw invalid('The metadata must be a JSON object.');
  return json.value;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw invalid('Not a whole number.');
  return number;
}

const lengthOf = (request: IncomingMessage): number | null => {
  const length = request.headers['content-length'];
  return length === undefined ? null : wholeNumber(length);
};

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
