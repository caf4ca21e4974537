import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * This module checks and prepares the files of LMDB, which maps them into memory: a fault there is no error, it ends the
 * process by a signal.
 */

export const dataFile = 'data.mdb';

/** LMDB's magic number, the same in the first two pages, and its offset there. */
const magic = 0xbe_ef_c0_de;
const magicAt = 24;
/** The offset of the page size in the first page. */
const pageSizeAt = 48;
const readBytes = 64;

/** Throws if the data file is none of LMDB, which the package `lmdb` answers with a segmentation fault. */
export function checkDataFile(folder: string): void {
  const path = join(folder, dataFile);
  if (!existsSync(path) || statSync(path).size === 0) return;
  const file = openSync(path, 'r');
  try {
    const page = Buffer.alloc(readBytes);
    const hasMagic = (position: number): boolean =>
      readSync(file, page, 0, readBytes, position) === readBytes &&
      page.readUInt32LE(magicAt) === magic;
    if (!hasMagic(0) || !hasMagic(page.readUInt32LE(pageSizeAt))) {
      throw new Error('The data file is damaged.');
    }
  } finally {
    closeSync(file);
  }
}

/** More than LMDB needs; it takes a longer file as it is. */
const readerBytes = 64;
const headBytes = 4096;

/**
 * Creates the lock file with its blocks, unless it is there. LMDB creates it sparse, and fills it the more is read at once:
 * on a full disk, that would end the process. An existing one must not be opened here, because closing it would release
 * the locks of LMDB, which belong to the process. @throws if this process may not write to it.
 */
export function createLockFile(folder: string, maxReaders: number): void {
  const path = join(folder, 'lock.mdb');
  if (existsSync(path)) {
    // LMDB answers a lock file that it may not write with a segmentation fault.
    accessSync(path, constants.R_OK | constants.W_OK);
    return;
  }
  const whole = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(whole, Buffer.alloc(maxReaders * readerBytes + headBytes));
    linkSync(whole, path);
  } catch (error) {
    // Another process may be as fast, or the file system may have no links. What else there is LMDB reports.
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error;
  } finally {
    rmSync(whole, { force: true });
  }
}
