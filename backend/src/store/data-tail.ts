import { fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import * as v from 'valibot';
import { freeBytesOf } from './free-bytes.ts';
import type { Put } from './key-value-store.ts';

/** The size of the blocks behind the data, in bytes. On a full disk they are left to deletions. */
export const spareBytes = 8 * 1024 * 1024;
const piece = Buffer.alloc(1024 * 1024);

/** The part of LMDB that tells how many pages there are. */
interface Environment {
  getStats(): object;
}

export type DataTail = ReturnType<typeof createDataTail>;

/**
 * The tail of LMDB's data file: zeros behind the last page, whose blocks the disk has given. A write that needs more pages
 * finds them there. It must not be LMDB that finds the disk full: the package `lmdb` overflows a buffer with its message
 * about that (3.5.6), which ends the process.
 */
export function createDataTail(db: Environment, path: string, freeBytes = () => freeBytesOf(path)) {
  /** Opened by the first write, so not by a reader. A file that cannot be opened is the reason of each refusal. */
  let opening: Promise<FileHandle> | undefined;
  let size = 0;
  let isShort = false;

  const extend = async (end: number): Promise<void> => {
    // Zeros are appended, not written at a position: LMDB may have made the file longer, and has its pages there.
    const file = await (opening ??= open(path, 'a'));
    ({ size } = await file.stat());
    // Zeros of a write that is refused in the end would take the room of uploads and of smaller writes.
    if (end - size > freeBytes()) throw new Error('The disk has less room than a write takes.');
    while (size < end) {
      await file.write(piece);
      ({ size } = await file.stat());
    }
  };

  return {
    /** Whether the disk had no room when the file was last extended: what is left of it is for deletions. */
    isShort: () => isShort,
    /** Whether the data file was removed since the first write: what is written to it then is lost with the process. */
    async isRemoved(): Promise<boolean> {
      const file = await opening?.catch(() => undefined);
      return file !== undefined && fstatSync(file.fd).nlink === 0;
    },
    /** Prepares a write. @returns undefined, or the reason why there is no room for it. */
    async prepare(operations: readonly Put[]): Promise<unknown> {
      const end = endOf(db) + bytesFor(operations, db);
      try {
        if (end + spareBytes > size) await extend(end + spareBytes);
        isShort = false;
        return undefined;
      } catch (error) {
        isShort = true;
        return end > size ? error : undefined;
      }
    },
    async close(): Promise<void> {
      const file = await opening?.catch(() => undefined);
      await file?.close();
    },
  };
}

const statsSchema = v.object({
  pageSize: v.number(),
  lastPageNumber: v.number(),
  treeDepth: v.number(),
  treeBranchPageCount: v.number(),
});
const statsOf = (db: Environment) => v.parse(statsSchema, db.getStats());

/** Returns where the pages of the data file end, in bytes. */
function endOf(db: Environment): number {
  const { pageSize, lastPageNumber } = statsOf(db);
  return (lastPageNumber + 1) * pageSize;
}

/** Every transaction writes a few pages of its own, such as those of the list of free pages. */
const pagesOfTransaction = 64;
/** A value may copy a leaf and split it; one more is a margin. A removal may copy a leaf and its neighbour. */
const leavesOf = { put: 3, del: 2 };

/** Returns more than the bytes of the pages that the operations take, if none is reused. */
function bytesFor(operations: readonly Put[], db: Environment): number {
  const { pageSize, treeDepth, treeBranchPageCount } = statsOf(db);
  const branches = Math.min(treeBranchPageCount, operations.length * treeDepth);
  let pages = pagesOfTransaction + 2 * branches;
  for (const each of operations) {
    pages += leavesOf[each.type];
    if (each.type === 'put') pages += Math.ceil(Buffer.byteLength(each.value) / pageSize);
  }
  return pages * pageSize;
}
