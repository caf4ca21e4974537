import { createHash } from 'node:crypto';
import {
  RemoteError,
  type DownloadedFile,
  type FileToUpload,
  type RemoteFiles,
} from '../../../replication/ports.ts';

export interface MemoryRemoteFiles {
  /**
   * Returns a client.
   * @param pause is called before the server acts and before it answers; it may throw, as a broken connection does.
   */
  connect(pause?: () => Promise<void>): RemoteFiles;
  /** Sets the rule that refuses or loses uploads; null accepts an upload. */
  refuse(rule: (file: FileToUpload) => RemoteError | null): void;
  /** Returns the stored files by name. */
  stored(): ReadonlyMap<string, DownloadedFile>;
  /** The names of all uploads in order, including refused ones. */
  readonly uploads: readonly string[];
  /** The names of all removals in order, including refused ones. */
  readonly removals: readonly string[];
  /** Sets the rule that refuses or loses removals; null accepts a removal. */
  refuseRemoval(rule: (objectName: string) => RemoteError | null): void;
}

export function md5Of(bytes: ArrayBuffer): string {
  return createHash('md5').update(new Uint8Array(bytes)).digest('base64');
}

/** Creates a file server in memory. */
export function createMemoryRemoteFiles(): MemoryRemoteFiles {
  const files = new Map<string, DownloadedFile>();
  const uploads: string[] = [];
  const removals: string[] = [];
  let removalRefusal: (objectName: string) => RemoteError | null = () => null;
  let refusal: (file: FileToUpload) => RemoteError | null = () => null;

  const store = (file: FileToUpload): DownloadedFile => {
    uploads.push(file.objectName);
    const refused = refusal(file);
    if (refused !== null) throw refused;
    const { objectName, contentType, replaces } = file;
    const isExpected = replaces === undefined || replaces === (files.get(objectName)?.md5 ?? null);
    if (!isExpected && files.get(objectName)?.md5 !== md5Of(file.bytes)) {
      throw new RemoteError('transient', 'replaced');
    }
    const bytes = file.bytes.slice(0);
    const size = { byteLength: bytes.byteLength, md5: md5Of(bytes) };
    const stored = { objectName, contentType, bytes, ...size };
    files.set(objectName, stored);
    return stored;
  };

  const remove = (objectName: string): void => {
    removals.push(objectName);
    const refused = removalRefusal(objectName);
    if (refused !== null) throw refused;
    files.delete(objectName);
  };

  return {
    connect: (pause = () => Promise.resolve()) => {
      const call = async <Result>(signal: AbortSignal, work: () => Result): Promise<Result> => {
        signal.throwIfAborted();
        await pause();
        signal.throwIfAborted();
        const result = work();
        await pause();
        signal.throwIfAborted();
        return result;
      };
      return {
        upload: (file, signal) => call(signal, () => store(file)),
        stat: (objectName, signal) => call(signal, () => files.get(objectName) ?? null),
        download: (objectName, signal) => call(signal, () => files.get(objectName) ?? null),
        remove: (objectName, signal) => call(signal, () => remove(objectName)),
      };
    },
    refuse: (rule) => {
      refusal = rule;
    },
    refuseRemoval: (rule) => {
      removalRefusal = rule;
    },
    stored: () => files,
    uploads,
    removals,
  };
}
