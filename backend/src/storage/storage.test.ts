import { readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { createMemoryStore } from '../../tests/support/fakes/memory-store.ts';
import {
  aliceCaller,
  openTestStorage,
  piece,
  put,
  target,
  textOf,
} from '../../tests/support/test-storage.ts';
import { filePrefix } from './objects/stored-object.ts';

const dayMs = 86_400_000;

const left = async (folder: string) => [
  ...(await readdir(join(folder, 'files'))),
  ...(await readdir(join(folder, 'parts'))),
];

/** Creates a file as a crash leaves it, last written at a time. */
async function leaveFile(path: string, atMs: number) {
  await writeFile(path, 'x');
  await utimes(path, atMs / 1000, atMs / 1000);
}

describe('sweeping', () => {
  it('drops uploads that were not continued for a week', async () => {
    const { storage, folder, clock } = await openTestStorage();
    const { id: old } = await storage.resumable.start(aliceCaller, target('a'));
    await storage.resumable.write(aliceCaller, old, piece('x', 0));
    clock.advance(4 * dayMs);
    const { id: young } = await storage.resumable.start(aliceCaller, target('b'));
    await storage.resumable.write(aliceCaller, young, piece('y', 0));
    clock.advance(3 * dayMs - 1);
    await storage.sweep();
    expect((await left(folder)).toSorted()).toEqual([old, young].toSorted());
    clock.advance(2);
    await storage.sweep();
    expect(await left(folder)).toEqual([young]);
    await expect(storage.resumable.query(aliceCaller, old)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('removes files without a record when they are a day old, and no others', async () => {
    const { storage, folder, clock } = await openTestStorage();
    await put(storage, 'a', 'kept');
    for (const kind of ['files', 'parts']) {
      await leaveFile(join(folder, kind, `${kind}-old`), clock.now() - dayMs - 1000);
      await leaveFile(join(folder, kind, `${kind}-new`), clock.now() - dayMs + 60_000);
    }
    await storage.sweep();
    const kept = storage.bucket.peek('a')?.fileId;
    expect(new Set(await left(folder))).toEqual(new Set([kept, 'files-new', 'parts-new']));
    clock.advance(2 * dayMs);
    await storage.sweep();
    expect(await left(folder)).toHaveLength(1);
    expect(await textOf(storage, 'a')).toBe('kept');
  });

  it('lets other work come between two files, also where it removes none', async () => {
    const seen: string[] = [];
    const store = createMemoryStore();
    const watched: typeof store = {
      ...store,
      get(key) {
        if (String(key).startsWith(filePrefix)) {
          seen.push('a file');
          setImmediate(() => seen.push('other work'));
        }
        return store.get(key);
      },
    };
    const { storage, folder } = await openTestStorage({ store: watched });
    for (const name of ['a', 'b']) await put(storage, name, 'kept');
    for (const id of await left(folder)) await utimes(join(folder, 'files', id), 0, 0);
    await storage.sweep();
    expect(seen.slice(0, 3)).toEqual(['a file', 'other work', 'a file']);
  });

  it('keeps the bytes of an upload that a crash interrupted while it was finished', async () => {
    const { storage, folder, clock } = await openTestStorage();
    const { id } = await storage.resumable.start(aliceCaller, target('a'));
    await storage.resumable.write(aliceCaller, id, piece('hello', 0));
    const file = join(folder, 'files', id);
    await rename(join(folder, 'parts', id), file);
    const oldS = (clock.now() - 2 * dayMs) / 1000;
    await utimes(file, oldS, oldS);
    await storage.sweep();
    await storage.resumable.write(aliceCaller, id, piece('', 5, true));
    expect(await textOf(storage, 'a')).toBe('hello');
  });

  it('happens at the start and every hour', async () => {
    const { storage, ...rest } = await openTestStorage();
    const orphan = join(rest.folder, 'files', 'orphan');
    await leaveFile(orphan, rest.clock.now() - 2 * dayMs);
    await storage.stop();
    const again = await openTestStorage(rest);
    await eventually(async () => expect(await left(rest.folder)).toEqual([]));
    await leaveFile(orphan, rest.clock.now() - 2 * dayMs);
    rest.clock.advance(3_600_000);
    await eventually(async () => expect(await left(rest.folder)).toEqual([]));
    await again.storage.stop();
  });
});
