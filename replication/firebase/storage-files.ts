import { md5Base64 } from '../../store/files/md5.ts';
import {
  RemoteError,
  type Clock,
  type DownloadedFile,
  type FileToUpload,
  type RemoteFiles,
  type StoredFile,
} from '../ports.ts';
import type { FirebaseConfig } from './firebase-config.ts';
import { withinLimit } from './request-limit.ts';
import { readMetadata, readRemoval, refusal } from './storage-answer.ts';

/**
 * The owner's files in Firebase Storage, by its REST interface: the SDK uploads by XMLHttpRequest, which a worker has
 * not got.
 *
 * - A request ends at its limit, and the connection with it; it counts as unanswered then.
 * - A token that the server does not take is renewed, once.
 */
export interface StorageFilesOptions {
  readonly config: Pick<FirebaseConfig, 'serverOrigin' | 'storageBucket'>;
  readonly idToken: IdTokenSource;
  readonly appToken?: AppTokenSource;
  readonly clock: Pick<Clock, 'after'>;
  readonly fetch?: typeof fetch;
}

/** @returns the owner's ID token, made anew if it must be; null if this owner is not signed in. */
export type IdTokenSource = (isRenewed: boolean) => Promise<string | null>;

/** @returns the token of App Check; null if none can be had now. */
export type AppTokenSource = () => Promise<string | null>;

const appTokenHeader = 'x-firebase-appcheck';

/** The header of App Check's token, where there is one. */
export async function appCheckHeaders(
  appToken: AppTokenSource | undefined,
): Promise<Readonly<Record<string, string>>> {
  const token = (await appToken?.()) ?? null;
  return token === null ? {} : { [appTokenHeader]: token };
}

/** The limits of the product for Storage. */
export const operationTimeoutMs = 120_000;
export const uploadTimeoutMs = 600_000;

const hostedOrigin = 'https://firebasestorage.googleapis.com';

interface Call {
  readonly path: string;
  readonly init?: { method: string; headers?: Readonly<Record<string, string>>; body?: Blob };
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

type ReadAnswer<Result> = (answer: Response) => Promise<Result>;

function multipartBody(file: FileToUpload, boundary: string): Blob {
  const { objectName, contentType, bytes, replaces } = file;
  const expected = replaces === undefined ? {} : { metadata: { replaces: replaces ?? '' } };
  const metadata = JSON.stringify({ name: objectName, contentType, ...expected });
  return new Blob([
    `--${boundary}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${metadata}\r\n`,
    `--${boundary}\r\nContent-Type: ${contentType}\r\n\r\n`,
    bytes,
    `\r\n--${boundary}--`,
  ]);
}

export function createStorageFiles(options: StorageFilesOptions): RemoteFiles {
  const { config, idToken, clock, fetch: send = fetch } = options;
  const bucketUrl = `${config.serverOrigin ?? hostedOrigin}/v0/b/${config.storageBucket}/o`;

  const requestOnce = async (call: Call, isRenewed: boolean): Promise<Response> => {
    const token = await idToken(isRenewed);
    if (token === null) throw new RemoteError('transient', 'unauthenticated');
    const headers = {
      ...call.init?.headers,
      ...(await appCheckHeaders(options.appToken)),
      authorization: `Firebase ${token}`,
    };
    const { signal } = call;
    // A cached answer would confirm what the server has lost since.
    return send(`${bucketUrl}${call.path}`, { ...call.init, headers, signal, cache: 'no-store' });
  };

  const request = async (call: Call): Promise<Response> => {
    const answer = await requestOnce(call, false);
    return answer.status === 401 ? requestOnce(call, true) : answer;
  };

  const perform = <Result>(call: Call, read: ReadAnswer<Result>): Promise<Result> =>
    withinLimit({ ...call, clock }, async (signal) => read(await request({ ...call, signal })));

  const stat = async (objectName: string, signal: AbortSignal) => {
    const path = `/${encodeURIComponent(objectName)}`;
    return perform({ path, timeoutMs: operationTimeoutMs, signal }, async (answer) =>
      answer.status === 404 ? null : readMetadata(answer),
    );
  };

  const readBytes = (objectName: string, signal: AbortSignal): Promise<ArrayBuffer> => {
    const path = `/${encodeURIComponent(objectName)}?alt=media`;
    return perform({ path, timeoutMs: operationTimeoutMs, signal }, async (answer) =>
      answer.ok ? answer.arrayBuffer() : refusal(answer),
    );
  };

  const download = async (
    objectName: string,
    signal: AbortSignal,
  ): Promise<DownloadedFile | null> => {
    const stored = await stat(objectName, signal);
    if (stored === null) return null;
    const bytes = await readBytes(objectName, signal);
    const isWhole = bytes.byteLength === stored.byteLength && md5Base64(bytes) === stored.md5;
    if (!isWhole) throw new RemoteError('transient', 'not-confirmed');
    return { ...stored, bytes };
  };

  /**
   * Storage's rules compare the hash of what is there, and cannot say that this is why they refuse.
   * @returns the file if it is there already. @throws {RemoteError} else.
   */
  const explained = async (
    error: unknown,
    { objectName, bytes, replaces }: FileToUpload,
    signal: AbortSignal,
  ): Promise<StoredFile> => {
    const isRefused = error instanceof RemoteError && error.code === 'http-403';
    if (!isRefused || replaces === undefined) throw error;
    const stored = await stat(objectName, signal);
    if (stored === null || stored.md5 === replaces) throw error;
    if (stored.md5 === md5Base64(bytes)) return stored;
    throw new RemoteError('transient', 'replaced', { cause: error });
  };

  return {
    upload: async (file, signal) => {
      // `crypto.randomUUID` is missing over plain http.
      const boundary = crypto.getRandomValues(new Uint32Array(4)).join('-');
      const headers = {
        'content-type': `multipart/related; boundary=${boundary}`,
        'x-goog-upload-protocol': 'multipart',
      };
      const init = { method: 'POST', headers, body: multipartBody(file, boundary) };
      const path = `?name=${encodeURIComponent(file.objectName)}`;
      const call = { path, init, timeoutMs: uploadTimeoutMs, signal };
      try {
        return await perform(call, readMetadata);
      } catch (error) {
        return explained(error, file, signal);
      }
    },
    stat,
    download,
    remove: (objectName, signal) => {
      const path = `/${encodeURIComponent(objectName)}`;
      const init = { method: 'DELETE' };
      return perform({ path, init, timeoutMs: operationTimeoutMs, signal }, readRemoval);
    },
  };
}
