import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../store/sync-folder.ts';
import { StorageError } from './storage-error.ts';

const pieceBytes = 64 * 1024;

export type FileStore = Awaited<ReturnType<typeof openFileStore>>;

/**
 * - A file is written as a part and becomes visible by a rename, after its bytes are durable.
 * - Memory holds one piece of a body at a time: the next is read after the last is written.
 * - Names are ids that the server generates; no text of a client reaches the file system.
 */
export async function openFileStore(folder: string) {
  const parts = join(folder, 'parts');
  const files = join(folder, 'files');
  for (const each of [parts, files]) await mkdir(each, { recursive: true, mode: 0o700 });
  const partOf = (id: string) => join(parts, id);
  const fileOf = (id: string) => join(files, id);

  return {
    /**
     * Truncates the part to `offset`, writes the body there and syncs it to the disk. Keeps what arrived of an interrupted
     * body, and nothing of a refused one, which is charged to nobody.
     *
     * @returns the size of the part, and the error that ended the body early; null when the body is complete.
     */
    async append(id: string, offset: number, body: AsyncIterable<Uint8Array>) {
      // A part that is continued must exist: a new file would have zeros before the offset.
      const creation = offset === 0 ? constants.O_CREAT : 0;
      const file = await open(partOf(id), constants.O_RDWR | creation, 0o600);
      try {
        await file.truncate(offset);
        let interruption: unknown = null;
        let end = offset;
        // A broken body is an outcome; a refusal and a failing disk are errors.
        const pieces = untilBroken(body, (error) => (interruption = error ?? 'unknown'));
        for await (const piece of pieces) {
          await writeAll(file, piece, end);
          end += piece.length;
        }
        await file.sync();
        if (offset === 0) await syncFolder(parts);
        return { end, interruption };
      } catch (error) {
        await file.truncate(offset);
        throw isDiskFull(error)
          ? new StorageError('no-room', 'The disk of the server is full.')
          : error;
      } finally {
        await file.close();
      }
    },
    /** Resolves to the size in bytes, or null when there is no part. */
    partSize: async (id: string) => (await orNull(stat(partOf(id))))?.size ?? null,
    inspectPart: (id: string) => inspect(partOf(id)),
    /** Renames the part to the file. */
    async publish(id: string) {
      await rename(partOf(id), fileOf(id));
      await syncFolder(files);
    },
    /** Renames the file back to the part, if it exists. */
    withdraw: async (id: string) => void (await orNull(rename(fileOf(id), partOf(id)))),
    removePart: (id: string) => rm(partOf(id), { force: true }),
    remove: (id: string) => rm(fileOf(id), { force: true }),
    /** Resolves to null when the file does not exist (any more). */
    open: (id: string) => orNull(open(fileOf(id), 'r')),
    /** Removes the files and parts that were last written before a time, unless they are needed. */
    async removeOld(timeMs: number, isNeeded: (id: string) => boolean) {
      for (const each of [files, parts]) {
        for (const id of await readdir(each)) {
          const path = join(each, id);
          const stats = await orNull(stat(path));
          if (stats === null || stats.mtimeMs >= timeMs || isNeeded(id)) continue;
          await rm(path, { force: true });
        }
      }
    },
  };
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code));

async function* untilBroken<T>(source: AsyncIterable<T>, onBroken: (error: unknown) => void) {
  try {
    yield* source;
  } catch (error) {
    if (error instanceof StorageError && error.code !== 'interrupted') throw error;
    onBroken(error);
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/**
 * Reads the file from the disk, so that the MD5 hash, encoded in Base64, is that of the bytes that will be served.
 */
async function inspect(path: string) {
  const file = await open(path, 'r');
  const md5 = createHash('md5');
  let size = 0;
  // The stream closes the file at its end.
  for await (const piece of file.createReadStream({ highWaterMark: pieceBytes })) {
    if (!Buffer.isBuffer(piece)) continue;
    md5.update(piece);
    size += piece.length;
  }
  return { size, md5Hash: md5.digest('base64') };
}

/** Resolves to null for a file that does not exist; any other failure is thrown. */
async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
