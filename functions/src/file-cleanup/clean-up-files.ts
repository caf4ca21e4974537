import { findReferredFiles } from './referred-files.ts';
import type { FileCleanupPorts, StoredFile } from './ports.ts';

/**
 * Deletes the files under `pets/` that no live document has referred to for a week. It is to run once a day.
 *
 * - The week is measured: the first run that finds a file unreferred marks it, a run that finds it referred takes the mark
 *   away, and an upload replaces the metadata and with it the mark. A file goes when its mark is a week old.
 * - Before a file is deleted, the documents are asked once more. A mark and a deletion apply only to the version of the
 *   file that was listed, so an upload, or another run that takes the mark away, is never lost.
 * - A run keeps nothing but the marks. It may be cut off anywhere, repeated, and run twice at once.
 * - A file that fails is reported and left to the next run; the others are looked after, and the run fails at its end.
 * - A page is forgotten before the next is listed, so memory does not grow with the bucket.
 *
 * A run costs one read per pet that has files (two where its files fill a page), one read per recording, and one list
 * request per 30 files. It writes only where a mark changes.
 */

/** Firestore compares a field with at most 30 values in one query. */
const pageSize = 30;
const weekMs = 7 * 24 * 60 * 60_000;

/** How many files a run has seen, and what it did with them. */
export interface FileCleanupCounts {
  seen: number;
  marked: number;
  unmarked: number;
  deleted: number;
  failed: number;
}

/** Some files failed; those that did not were looked after. */
export class FileCleanupError extends Error {
  override readonly name = 'FileCleanupError';

  constructor({ failed, seen }: Readonly<FileCleanupCounts>) {
    super(`The clean-up failed for ${failed} of ${seen} files.`);
  }
}

/** @throws {FileCleanupError} or the port's error when files cannot be listed; then it is to be called again. */
export async function cleanUpFiles(ports: FileCleanupPorts): Promise<Readonly<FileCleanupCounts>> {
  const counts: FileCleanupCounts = { seen: 0, marked: 0, unmarked: 0, deleted: 0, failed: 0 };
  let after: string | null = null;
  do {
    const page = await ports.files.list({ prefix: 'pets/', limit: pageSize, after });
    counts.seen += page.files.length;
    await cleanUpPage(ports, page.files, counts);
    after = page.next;
  } while (after !== null);
  if (counts.failed > 0) throw new FileCleanupError(counts);
  return counts;
}

async function cleanUpPage(
  ports: FileCleanupPorts,
  files: readonly StoredFile[],
  counts: FileCleanupCounts,
): Promise<void> {
  const referred = await findReferredOfPage(ports, files);
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

/** @returns null if the documents cannot be asked for all files together: one file may be the cause. */
async function findReferredOfPage(
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
  // A mark from the future is of a clock that was wrong, and counts as none.
  if (file.unreferredSinceMs === null || file.unreferredSinceMs > nowMs) {
    return (await ports.files.mark(file, nowMs)) ? 'marked' : 'nothing';
  }
  // A client may have uploaded the file with a mark of its own making.
  const sinceMs = Math.max(file.unreferredSinceMs, file.uploadedAtMs);
  if (nowMs - sinceMs < weekMs) return 'nothing';
  if (await isReferredNow(ports, file)) return unmark(ports, file);
  return (await ports.files.delete(file)) ? 'deleted' : 'nothing';
}

async function unmark({ files }: FileCleanupPorts, file: StoredFile): Promise<Outcome> {
  if (file.unreferredSinceMs === null) return 'nothing';
  return (await files.mark(file, null)) ? 'unmarked' : 'nothing';
}
