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
import { sendSigned, withinLimit, type IdTokenSource } from './request-limit.ts';
import { readMetadata, readAbsence, refusal } from './storage-answer.ts';

export interface StorageFilesOptions {
  readonly config: Pick<FirebaseConfig, 'serverOrigin' | 'storageBucket'>;
  readonly idToken: IdTokenSource;
  readonly clock: Pick<Clock, 'after'>;
  readonly fetch?: typeof fetch;
}

/** The limits of the product for Storage. */
export const operationTimeoutMs = 120_000;
export const uploadTimeoutMs = 600_000;

const hostedOrigin = 'https://firebasestorage.googleapis.com';

interface Call {
  readonly path: string;
  readonly init?: { method: string; headers?: Readonly<Record<string, string>>; body?: Blob };
  /** By default {@link operationTimeoutMs}. */
  readonly timeoutMs?: number;
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

function pathOf(objectName: string): string {
  return `/${encodeURIComponent(objectName)}`;
}

/**
 * Accesses the owner's files in Firebase Storage by its REST interface: the SDK uploads by XMLHttpRequest, which
 * workers do not have.
 *
 * - A request is aborted at its time limit and counts as unanswered.
 * - A token that the server refuses is renewed, once.
 */
export function createStorageFiles(options: StorageFilesOptions): RemoteFiles {
  const { config, idToken, clock, fetch: send = fetch } = options;
  const bucketUrl = `${config.serverOrigin ?? hostedOrigin}/v0/b/${config.storageBucket}/o`;

  const perform = <Result>(call: Call, read: ReadAnswer<Result>): Promise<Result> =>
    withinLimit({ timeoutMs: operationTimeoutMs, ...call, clock }, async (signal) => {
      const { path, init } = call;
      const answer = await sendSigned(idToken, (token) => {
        const headers = { ...init?.headers, authorization: `Firebase ${token}` };
        // A cached answer could confirm a file that the server has lost since.
        return send(`${bucketUrl}${path}`, { ...init, headers, signal, cache: 'no-store' });
      });
      return read(answer);
    });

  const stat = (objectName: string, signal: AbortSignal) =>
    perform({ path: pathOf(objectName), signal }, async (answer) => {
      if (answer.status !== 404) return readMetadata(answer);
      await readAbsence(answer);
      return null;
    });

  const download = async (
    objectName: string,
    signal: AbortSignal,
  ): Promise<DownloadedFile | null> => {
    const stored = await stat(objectName, signal);
    if (stored === null) return null;
    const path = `${pathOf(objectName)}?alt=media`;
    const bytes = await perform({ path, signal }, async (answer) =>
      answer.ok ? answer.arrayBuffer() : refusal(answer),
    );
    const isWhole = bytes.byteLength === stored.byteLength && md5Base64(bytes) === stored.md5;
    if (!isWhole) throw new RemoteError('transient', 'not-confirmed');
    return { ...stored, bytes };
  };

  /**
   * Checks whether a refusal means that another file is there: Storage's rules compare its hash, but cannot give a
   * reason.
   * @returns the file if the server has it already. @throws {RemoteError} otherwise.
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
    remove: (objectName, signal) =>
      perform({ path: pathOf(objectName), init: { method: 'DELETE' }, signal }, readAbsence),
  };
}
