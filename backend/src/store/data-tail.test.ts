import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import { expect, it, onTestFinished } from 'vitest';
import { createRandom } from '../../tests/fuzz/random.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { createDataTail, spareBytes } from './data-tail.ts';
import type { Put } from './key-value-store.ts';

async function setUp() {
  const folder = await tempFolder();
  const db = open<string, Buffer>(folder, { encoding: 'string', keyEncoding: 'binary' });
  onTestFinished(() => db.close());
  const path = join(folder, 'data.mdb');
  const tail = createDataTail(db, path);
  onTestFinished(() => tail.close());
  const write = (operations: readonly Put[]) =>
    db.batch(() => {
      for (const each of operations) {
        if (each.type === 'put') void db.put(Buffer.from(each.key), each.value);
        else void db.remove(Buffer.from(each.key));
      }
    });
  const end = () => {
    const stats: unknown = db.getStats();
    const { lastPageNumber, pageSize } = Object(stats);
    return (Number(lastPageNumber) + 1) * Number(pageSize);
  };
  return { db, path, tail, write, end };
}

it('a write takes no more of the file than was prepared for it, and none of the spare part', async () => {
  const { db, path, tail, write, end } = await setUp();
  const random = createRandom(7);
  for (let round = 0; round < 40; round++) {
    const operations = Array.from({ length: random.pick([1, 20, 400]) }, (): Put => {
      const key = `${'k'.repeat(random.pick([1, 300, 1900]))}${random.below(3000)}`;
      const length = random.pick([0, 10, 900, 4000, 60_000]);
      return random.below(3) === 0
        ? { type: 'del', key }
        : { type: 'put', key, value: 'x'.repeat(length) };
    });
    expect(await tail.prepare(operations)).toBeUndefined();
    const { size } = await stat(path);
    await write(operations);
    expect(end()).toBeLessThanOrEqual(size - spareBytes);
    expect((await stat(path)).size).toBe(size);
  }
  expect(tail.isShort()).toBe(false);
  expect(db.getCount()).toBeGreaterThan(500);
});

it('a write that the disk has no room for takes none of it from others', async () => {
  const { db, path } = await setUp();
  const disk = { freeBytes: 3 * spareBytes };
  const tail = createDataTail(db, path, () => disk.freeBytes);
  onTestFinished(() => tail.close());
  const large: Put = { type: 'put', key: 'a', value: 'x'.repeat(disk.freeBytes) };
  const { size } = await stat(path);
  expect(await tail.prepare([large])).toBeInstanceOf(Error);
  expect((await stat(path)).size).toBe(size);
  expect(tail.isShort()).toBe(true);
  expect(await tail.prepare([{ ...large, value: 'x' }])).toBeUndefined();
  expect(tail.isShort()).toBe(false);
  disk.freeBytes = 0;
  expect(await tail.prepare([{ ...large, value: 'x'.repeat(spareBytes / 2) }])).toBeUndefined();
  expect(tail.isShort()).toBe(true);
});

it.runIf(process.platform === 'linux')('a full disk is the reason of a refusal', async () => {
  const { db } = await setUp();
  const tail = createDataTail(db, '/dev/full');
  onTestFinished(() => tail.close());
  expect(await tail.prepare([])).toMatchObject({ code: 'ENOSPC' });
  expect(tail.isShort()).toBe(true);
});
