import { findReferredFiles } from './referred-files.ts';
import type { FileCleanupPorts, StoredFile } from './ports.ts';

/** Firestore compares a field with at most 30 values in one query. */
const querySize = 30;
/** The queries of a page are concurrent, which makes a run about ten times as fast as one query after the other. */
const pageSize = 10 * querySize;
/** With so many failures the cause is not a single file, and the rest would fail as well. */
const maxFailures = 100;
const weekMs = 7 * 24 * 60 * 60_000;

/** The numbers of files that a run has seen and changed. */
export interface FileCleanupCounts {
  seen: number;
  marked: number;
  unmarked: number;
  deleted: number;
  failed: number;
}

/** Some files failed; the others up to there were processed. */
export class FileCleanupError extends Error {
  override readonly name = 'FileCleanupError';

  constructor({ failed, seen }: Readonly<FileCleanupCounts>) {
    super(`The clean-up failed for ${failed} of ${seen} files.`);
  }
}

/** The part of the bucket that a run processes; by default all of it. */
export interface FileCleanupRange {
  /** The `next` that `onPage` got from an earlier run; null for the first file. */
  readonly after: string | null;
  /**
   * Called after each page.
   * @param next continues after this page; null after the last one. @returns whether the run goes on.
   */
  readonly onPage: (next: string | null) => Promise<boolean>;
}

const everything: FileCleanupRange = { after: null, onPage: async () => true };

/**
 * Deletes the files under `pets/` that no live document has referred to for a week. It is meant to run every few days.
 *
 * - A run that finds a file without a reference marks it, a run that finds a reference removes the mark, and an upload
 *   replaces the metadata with the mark. A file is deleted when its mark is a week old.
 * - Before a file is deleted, the documents are queried once more. A mark and a deletion apply only to the listed
 *   version of the file, so an upload, or another run that removes the mark, is never lost.
 * - A run stores nothing but the marks. It may be interrupted, repeated, and run concurrently.
 * - A file that fails is reported and left to the next run; the others are processed, and the run fails at its end. It
 *   ends at once, before `onPage`, when a hundred files have failed.
 * - Each page is processed before the next is listed, so memory does not grow with the bucket.
 *
 * A run costs one read per recording, one read per pet and 30 files of it, and one list request per 300 files. It
 * writes only where a mark changes.
 * @throws {FileCleanupError} or the port's error if files cannot be listed; a later call retries.
 */
export async function cleanUpFiles(
  ports: FileCleanupPorts,
  { after, onPage }: FileCleanupRange = everything,
): Promise<Readonly<FileCleanupCounts>> {
  const counts: FileCleanupCounts = { seen: 0, marked: 0, unmarked: 0, deleted: 0, failed: 0 };
  let next = after;
  do {
    const page = await ports.files.list({ prefix: 'pets/', limit: pageSize, after: next });
    counts.seen += page.files.length;
    await Promise.all(inQueries(page.files).map((files) => cleanUpTogether(ports, files, counts)));
    if (counts.failed >= maxFailures) throw new FileCleanupError(counts);
    next = page.next;
  } while ((await onPage(next)) && next !== null);
  if (counts.failed > 0) throw new FileCleanupError(counts);
  return counts;
}

function inQueries(files: readonly StoredFile[]): readonly (readonly StoredFile[])[] {
  const count = Math.ceil(files.length / querySize);
  return Array.from({ length: count }, (_, at) =>
    files.slice(at * querySize, (at + 1) * querySize),
  );
}

/** Processes files whose references are read by one query. */
async function cleanUpTogether(
  ports: FileCleanupPorts,
  files: readonly StoredFile[],
  counts: FileCleanupCounts,
): Promise<void> {
  const referred = await findReferredTogether(ports, files);
  for (const file of files) {
    try {
      const isReferred = referred?.has(file.name) ?? (await isReferredNow(ports, file));
      const outcome = await cleanUpFile(ports, file, isReferred);
      if (outcome !== 'nothing') counts[outcome] += 1;
    } catch (error) {
      counts.failed += 1;
      ports.onFailure(file.name, error);
    }
  }
}

/** @returns null if the query for all files fails, since one file may be the cause. */
async function findReferredTogether(
  { holders }: FileCleanupPorts,
  files: readonly StoredFile[],
): Promise<ReadonlySet<string> | null> {
  try {
    return await findReferredFiles(holders, files);
  } catch {
    return null;
  }
}

const isReferredNow = async ({ holders }: FileCleanupPorts, file: StoredFile): Promise<boolean> =>
  (await findReferredFiles(holders, [file])).has(file.name);

type Outcome = 'marked' | 'unmarked' | 'deleted' | 'nothing';

async function cleanUpFile(
  ports: FileCleanupPorts,
  file: StoredFile,
  isReferred: boolean,
): Promise<Outcome> {
  const nowMs = ports.now();
  if (isReferred) return unmark(ports, file);
  // A mark in the future comes from a wrong clock, and counts as none.
  if (file.unreferredSinceMs === null || file.unreferredSinceMs > nowMs) {
    return (await ports.files.mark(file, nowMs)) ? 'marked' : 'nothing';
  }
  // A client may have uploaded the file with a forged mark.
  const sinceMs = Math.max(file.unreferredSinceMs, file.uploadedAtMs);
  if (nowMs - sinceMs < weekMs) return 'nothing';
  if (await isReferredNow(ports, file)) return unmark(ports, file);
  return (await ports.files.delete(file)) ? 'deleted' : 'nothing';
}

async function unmark({ files }: FileCleanupPorts, file: StoredFile): Promise<Outcome> {
  if (file.unreferredSinceMs === null) return 'nothing';
  return (await files.mark(file, null)) ? 'unmarked' : 'nothing';
}
