import { constants, existsSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  realpath,
  rename,
  rm,
} from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { filePrefix } from './storage/objects/stored-object.ts';
import { createUploadSessions } from './storage/uploads/upload-sessions.ts';
import {
  StoreError,
  entriesUnder,
  type KeyValueStore,
  type Snapshot,
  type StoreOperation,
} from './store/key-value-store.ts';
import { openLmdbReader, unfinishedKey } from './store/lmdb-store.ts';
import { syncFolder } from './store/sync-folder.ts';

/**
 * Copies a data folder while its server runs.
 *
 * - The records are a snapshot, and the copy has every file that they name. Files are linked before the snapshot is taken,
 *   and the few that were added since are linked right after it, before the records are copied. If one of these was
 *   removed in between, it takes a later snapshot.
 * - A file never changes, so a hard link to it is a copy. Where links are impossible, it is copied.
 * - The copy has no epoch: a server that starts on it creates a new one, so devices that saw later changes read everything
 *   again. It has no unfinished uploads and no mails.
 * - The folder has its name only when the copy is whole. A process that is killed leaves `NAME.partial-…`, which nothing
 *   needs: no server starts on it once it has anything, and no other copy is made of it.
 */
export async function backUp(dataDir: string, folder: string): Promise<void> {
  const source = resolve(dataDir);
  if (!existsSync(join(source, 'db', 'data.mdb'))) {
    throw new StoreError('unusable', `There is no data folder ${source} that can be read.`);
  }
  const store = openLmdbReader(join(source, 'db'));
  try {
    await copyData({ source, store, target: resolve(folder) });
  } finally {
    await store.close();
  }
}

export interface Copying {
  readonly source: string;
  readonly store: KeyValueStore;
  readonly target: string;
}

const maxAttempts = 10;

const filesOf = (dataDir: string): string => join(dataDir, 'files', 'files');

export async function copyData({ source, store, target }: Copying): Promise<void> {
  if (store.get(unfinishedKey) !== undefined) {
    throw new StoreError('unusable', `The data folder ${source} is a copy that was cut off.`);
  }
  if (existsSync(target)) {
    throw new StoreError('unusable', `A backup needs a new folder, and ${target} exists.`);
  }
  if (((await realParent(target)) + sep).startsWith((await realpath(source)) + sep)) {
    throw new StoreError('unusable', `A backup must lie outside of the data folder ${source}.`);
  }
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const partial = await mkdtemp(`${target}.partial-`);
  try {
    await fillFolder({ source, store, target: partial });
    await rename(partial, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Resolves to the nearest folder above a path that exists, without symbolic links. */
const realParent = (path: string): Promise<string> =>
  realpath(dirname(path)).catch(() => realParent(dirname(path)));

async function fillFolder({ source, store, target }: Copying): Promise<void> {
  const copy = openLmdbReader(join(target, 'db'));
  try {
    // The name of the folder does not say that it is unfinished once somebody has copied it elsewhere.
    await copy.write([{ type: 'put', key: unfinishedKey, value: '1' }]);
    await mkdir(filesOf(target), { recursive: true, mode: 0o700 });
    await copySynced(join(source, 'signing-key.pem'), join(target, 'signing-key.pem'));
    await copyContents({ source, store, target }, copy);
  } finally {
    await copy.close();
  }
}

async function copyContents({ source, store, target }: Copying, copy: KeyValueStore) {
  const files = filesOf(target);
  /** A file is not looked for again: it may have vanished since, and with many files one always has. */
  const linked = new Set<string>();
  const linkFile = async (id: string): Promise<boolean> => {
    if (!linked.has(id) && (await linkOrCopy(join(filesOf(source), id), join(files, id)))) {
      linked.add(id);
    }
    return linked.has(id);
  };
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    for (const id of await readdir(filesOf(source))) await linkFile(id);
    const snapshot = store.snapshot();
    try {
      const named = new Set(Array.from(entriesUnder(snapshot, filePrefix), ([id]) => id));
      const present = await Promise.all([...named].map(linkFile));
      if (!present.every(Boolean)) continue;
      for (const id of await readdir(files)) if (!named.has(id)) await rm(join(files, id));
      // The files are durable before the copy counts as complete.
      for (const each of ['files/files', 'files', 'db', '.']) await syncFolder(join(target, each));
      await copyRecords(snapshot, copy);
      return;
    } finally {
      snapshot.release();
    }
  }
  throw new StoreError('failed', 'Files kept vanishing while they were copied.');
}

const writeEntries = 1000;

async function copyRecords(snapshot: Snapshot, copy: KeyValueStore): Promise<void> {
  let operations: StoreOperation[] = [];
  for (const [key, value] of snapshot.range({ start: Buffer.alloc(0), end: afterAll })) {
    operations.push({ type: 'put', key, value });
    if (operations.length < writeEntries) continue;
    await copy.write(operations);
    operations = [];
  }
  await copy.write([
    ...operations,
    { type: 'del', key: 'fs/epoch' },
    { type: 'del', key: 'store/server' },
  ]);
  const uploads = createUploadSessions(copy);
  for await (const each of uploads.all()) await uploads.change(each, null);
  await copy.write([{ type: 'del', key: unfinishedKey }]);
}

/** A bound after all keys, which begin with text. */
const afterAll = Buffer.from([0xff]);

/** Resolves to false when the file no longer exists. */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') throw error;
      return copySynced(from, to);
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

async function copySynced(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const file = await open(to, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
