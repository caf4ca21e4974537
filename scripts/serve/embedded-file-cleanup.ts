import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock, type Clock } from '../../backend/src/clock.ts';
import type { AdminFirestore } from '../../backend/src/firestore/admin-firestore.ts';
import type { AdminStorage } from '../../backend/src/storage/admin-storage.ts';
import type { ObjectVersion } from '../../backend/src/storage/objects/bucket.ts';
import type { StoredObject } from '../../backend/src/storage/objects/stored-object.ts';
import { cleanUpFiles } from '../../functions/src/file-cleanup/clean-up-files.ts';
import { markKey, markToText, textToMark } from '../../functions/src/file-cleanup/mark.ts';
import type {
  FileCleanupPorts,
  FileHolders,
  MarkedFiles,
  StoredFile,
} from '../../functions/src/file-cleanup/ports.ts';

/** The part of the embedded backend that the clean-up of files needs. */
export interface FileCleanupHost {
  readonly firestore: Pick<AdminFirestore, 'get' | 'stream'>;
  readonly storage: Pick<AdminStorage, 'list' | 'updateUnchanged' | 'deleteUnchanged'>;
}

export interface FileCleanupOptions {
  readonly clock?: Clock;
  /** Called for a run that failed, and for each file that failed. */
  readonly onFailure?: (message: string, error: unknown) => void;
  /** Aborts a run before its next change or page. */
  readonly signal?: AbortSignal;
}

export function createEmbeddedFileCleanupPorts(
  { firestore, storage }: FileCleanupHost,
  { clock = systemClock, onFailure = () => undefined, signal }: FileCleanupOptions = {},
): FileCleanupPorts {
  return {
    files: createEmbeddedFiles(storage, signal),
    holders: createEmbeddedHolders(firestore),
    now: () => clock.now(),
    onFailure: (fileName, error) => onFailure(`${fileName} was not cleaned up`, error),
  };
}

function createEmbeddedFiles(
  storage: FileCleanupHost['storage'],
  signal: AbortSignal | undefined,
): MarkedFiles {
  return {
    async list(query) {
      // A list is read synchronously, so a run without a pause would block all requests until its end.
      await nextTurn();
      signal?.throwIfAborted();
      const { objects, next } = storage.list(query);
      return { files: objects.map(toStoredFile), next };
    },
    async mark(file, sinceMs) {
      signal?.throwIfAborted();
      const metadata = { [markKey]: markToText(sinceMs) };
      return (await storage.updateUnchanged(toVersion(file), metadata)) !== null;
    },
    async delete(file) {
      signal?.throwIfAborted();
      return storage.deleteUnchanged(toVersion(file));
    },
  };
}

const toStoredFile = (object: StoredObject): StoredFile => ({
  name: object.name,
  generation: object.generation,
  metageneration: object.metageneration,
  uploadedAtMs: object.createdMs,
  unreferredSinceMs: textToMark(object.settings.custom.get(markKey)),
});

const toVersion = ({ name, generation, metageneration }: StoredFile): ObjectVersion => ({
  name,
  generation: Number(generation),
  metageneration: Number(metageneration),
});

function createEmbeddedHolders(firestore: FileCleanupHost['firestore']): FileHolders {
  return {
    readPets: async (petIds) =>
      new Map(
        petIds.flatMap((petId) => {
          const pet = firestore.get(`pets/${petId}`);
          return pet === null ? [] : [[petId, pet]];
        }),
      ),
    // A query for one value reads an index, which is made on the first run; one for a list of values scans all entries.
    async *findEntries(fileNames) {
      for (const value of fileNames) {
        const equals = { field: 'fileLocation', value };
        const query = { collection: 'journalEntries', isGroup: true, equals, limit: Infinity };
        for await (const { data } of firestore.stream(query)) yield data;
      }
    },
  };
}

const dayMs = 24 * 60 * 60_000;

/**
 * Runs the clean-up soon after the start and once a day from then on. The time of the last run is not stored, since
 * another run is cheap here and changes nothing. A failed run is reported, and the next one completes it.
 * @returns a function that stops it, also during a run: it then neither writes nor reports anything.
 */
export function scheduleFileCleanup(
  host: FileCleanupHost,
  { clock = systemClock, onFailure = () => undefined }: Omit<FileCleanupOptions, 'signal'>,
): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const report = (message: string, error: unknown): void => {
    if (!signal.aborted) onFailure(message, error);
  };
  const ports = createEmbeddedFileCleanupPorts(host, { clock, onFailure: report, signal });
  const run = (): void => {
    cleanUpFiles(ports).catch((error: unknown) => report('The clean-up of files failed', error));
  };
  const first = setImmediate(run).unref();
  const stopRepeating = clock.every(dayMs, run);
  return () => {
    ending.abort();
    clearImmediate(first);
    stopRepeating();
  };
}
