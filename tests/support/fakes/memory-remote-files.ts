import { createHash } from 'node:crypto';
import {
  RemoteError,
  type DownloadedFile,
  type FileToUpload,
  type RemoteFiles,
} from '../../../replication/ports.ts';

export interface MemoryRemoteFiles {
  /**
   * A client.
   * @param pause called before the server does anything, and before its answer: where it can break.
   */
  connect(pause?: () => Promise<void>): RemoteFiles;
  /** Decides which uploads are refused or lost; null takes them. */
  refuse(rule: (file: FileToUpload) => RemoteError | null): void;
  /** By name. */
  stored(): ReadonlyMap<string, DownloadedFile>;
  /** Names of what was uploaded, in order; refused ones too. */
  readonly uploads: readonly string[];
  /** Names that were asked to be removed, in order; refused ones too. */
  readonly removals: readonly string[];
  /** Decides which removals are refused or lost; null takes them. */
  refuseRemoval(rule: (objectName: string) => RemoteError | null): void;
}

export function md5Of(bytes: ArrayBuffer): string {
  return createHash('md5').update(new Uint8Array(bytes)).digest('base64');
}

/** A server of files in memory. */
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
