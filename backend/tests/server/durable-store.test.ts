import type * as lmdb from 'lmdb';
import { open } from 'lmdb';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openLmdbStore } from '../../src/store/lmdb-store.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.mock('lmdb', async (original) => {
  const actual = await original<typeof lmdb>();
  return { ...actual, open: vi.fn<typeof open>(actual.open) };
});

// LMDB would otherwise report a transaction as committed before it has reached the disk.
it('a write that is acknowledged is durable', async () => {
  const folder = join(await tempFolder(), 'db');
  const store = await openLmdbStore(folder);
  await store.close();
  const durable: unknown = expect.objectContaining({ overlappingSync: false });
  expect(vi.mocked(open).mock.calls).toEqual([[folder, durable]]);
});

it('a write is refused once its data file was removed', async () => {
  const folder = join(await tempFolder(), 'db');
  const store = await openLmdbStore(folder);
  await store.write([{ type: 'put', key: 'a', value: '1' }]);
  await rm(folder, { recursive: true });
  await expect(store.write([{ type: 'put', key: 'b', value: '2' }])).rejects.toMatchObject({
    code: 'broken',
  });
  expect(store.get('b')).toBeUndefined();
  await store.close();
});
