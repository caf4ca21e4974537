import type { Backend } from '../../../src/server.ts';
import { isJsonObject } from '../../../src/json.ts';
import { rawClient } from './raw-client.ts';
import { databaseNames } from '../test-database.ts';

/** Plain requests to Storage, as a service worker makes them, signed in as the owner of a pet. */
export async function storageClient(backend: Pick<Backend, 'port' | 'firestore'>) {
  const raw = rawClient(backend);
  const { idToken, uid } = await raw.signUp();
  const petId = `pet-${uid}`;
  await backend.firestore.commit([{ set: `pets/${petId}`, data: { ownerId: uid } }]);
  return storageClientFor(backend, { idToken, uid, petId });
}

/** The same without a way into the server: the pet is made as a client makes it. */
export async function signUpWithPet(port: number): Promise<StorageOwner> {
  const raw = rawClient({ port });
  const { idToken, uid } = await raw.signUp();
  const pet = { name: databaseNames.toName('pets/rex'), fields: { ownerId: { stringValue: uid } } };
  const { status } = await raw.firestore('commit', { writes: [{ update: pet }] }, idToken);
  if (status !== 200) throw new Error('There is no pet.');
  return { idToken, uid, petId: 'rex' };
}

export interface StorageOwner {
  readonly idToken: string;
  readonly uid: string;
  readonly petId: string;
}

export function storageClientFor(backend: Pick<Backend, 'port'>, owner: StorageOwner) {
  const origin = `http://127.0.0.1:${backend.port}`;
  const base = `${origin}/v0/b/demo-pawpals.appspot.com/o`;
  const authorization = { Authorization: `Firebase ${owner.idToken}` };
  const nameOf = (file: string) => `pets/${owner.petId}/${file}`;
  const objectUrl = (file: string) => `${base}/${encodeURIComponent(nameOf(file))}`;
  const uploadUrl = (file: string) => `${base}?name=${encodeURIComponent(nameOf(file))}`;
  const send = (url: string, init: RequestInit = {}) => {
    const headers = { ...authorization, ...toRecord(init.headers) };
    return fetch(url, { ...init, headers });
  };
  const multipart = (file: string, metadata: unknown, contents: BlobPart) =>
    send(uploadUrl(file), {
      method: 'POST',
      body: new Blob([multipartStart(metadata), contents, multipartEnd]),
      headers: multipartHeaders,
    });
  return {
    ...owner,
    origin,
    base,
    send,
    nameOf,
    objectUrl,
    uploadUrl,
    upload: (file: string, contents: BlobPart, contentType = 'application/octet-stream') =>
      multipart(file, { contentType }, contents),
    multipart,
    /** Resolves to the address the pieces go to. */
    async start(file: string, size: number | null = null, metadata: unknown = {}) {
      const response = await send(uploadUrl(file), {
        method: 'POST',
        body: JSON.stringify(metadata),
        headers: {
          'X-Goog-Upload-Protocol': 'resumable',
          'X-Goog-Upload-Command': 'start',
          ...(size === null ? {} : { 'X-Goog-Upload-Header-Content-Length': String(size) }),
        },
      });
      return { response, url: response.headers.get('x-goog-upload-url') ?? '' };
    },
    command: (url: string, command: string, options: Partial<PieceOptions> = {}) =>
      send(url, {
        method: 'POST',
        body: options.body ?? null,
        headers: {
          'X-Goog-Upload-Command': command,
          ...(options.offset === undefined ? {} : { 'X-Goog-Upload-Offset': `${options.offset}` }),
        },
      }),
    async metadata(file: string) {
      const body: unknown = await (await send(objectUrl(file))).json();
      return isJsonObject(body) ? body : {};
    },
    async downloadUrl(file: string) {
      const { downloadTokens } = await this.metadata(file);
      return `${objectUrl(file)}?alt=media&token=${String(downloadTokens)}`;
    },
  };
}

export const multipartHeaders = {
  'X-Goog-Upload-Protocol': 'multipart',
  'Content-Type': 'multipart/related; boundary=b',
};
/** Returns the part with the metadata, and the head of the part with the file's bytes. */
export const multipartStart = (metadata: unknown) =>
  `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(metadata)}\r\n--b\r\n\r\n`;
export const multipartEnd = '\r\n--b--';

interface PieceOptions {
  readonly body: BodyInit;
  readonly offset: number;
}

const toRecord = (headers: HeadersInit | undefined): Record<string, string> =>
  Object.fromEntries(new Headers(headers));
