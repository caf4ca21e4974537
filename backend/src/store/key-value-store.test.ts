import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryStore } from '../../tests/support/fakes/memory-store.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import {
  afterPrefix,
  entriesUnder,
  underPrefix,
  type KeyValueStore,
  type StoreOperation,
} from './key-value-store.ts';
import { openLmdbReader, openLmdbStore } from './lmdb-store.ts';

async function openLmdb(): Promise<KeyValueStore> {
  const store = await openLmdbStore(join(await tempFolder(), 'db'));
  onTestFinished(() => store.close());
  return store;
}

const put = (key: string | Buffer, value = ''): StoreOperation => ({ type: 'put', key, value });
const del = (key: string | Buffer): StoreOperation => ({ type: 'del', key });
const add = (key: string, amount: number): StoreOperation => ({ type: 'add', key, amount });

describe.each([
  ['LMDB', openLmdb],
  ['the store of the tests', () => Promise.resolve(createMemoryStore())],
])('%s', (_name, open) => {
  const textsOf = (entries: Iterable<readonly [Buffer, string]>) =>
    Array.from(entries, ([key, value]) => `${key.toString()}=${value}`);

  it('keeps what is written, in the order of bytes, forwards and backwards', async () => {
    const store = await open();
    await store.write(['b', 'a', 'é', '😀', '\uffee', 'ab'].map((key) => put(`k${key}`)));
    const range = { start: 'k', end: 'l' };
    const expected = ['ka=', 'kab=', 'kb=', 'ké=', 'k\uffee=', 'k😀='];
    expect(textsOf(store.range(range))).toEqual(expected);
    expect(textsOf(store.range({ ...range, isReverse: true }))).toEqual(expected.toReversed());
    expect(textsOf(store.range({ ...range, limit: 2 }))).toEqual(['ka=', 'kab=']);
    expect(textsOf(store.range({ ...range, isReverse: true, limit: 1 }))).toEqual(['k😀=']);
    expect([store.count(range), store.count({ ...range, limit: 4 })]).toEqual([6, 4]);
  });

  it('has the start of a range and not its end, in both directions', async () => {
    const store = await open();
    await store.write(['a', 'b', 'c'].map((key) => put(key, '1')));
    for (const isReverse of [false, true]) {
      const found = textsOf(store.range({ start: 'a', end: 'c', isReverse }));
      expect(found.toSorted()).toEqual(['a=1', 'b=1']);
      expect(textsOf(store.range({ start: 'a0', end: 'b0', isReverse }))).toEqual(['b=1']);
      expect(textsOf(store.range({ start: 'b', end: 'b', isReverse }))).toEqual([]);
    }
    expect(store.count({ start: 'a', end: 'c' })).toBe(2);
  });

  it('finds what has a prefix, whatever bytes it ends in', async () => {
    const store = await open();
    const prefix = Buffer.from([1, 0xff]);
    await store.write([
      put(Buffer.from([1, 0xfe]), 'before'),
      put(prefix, 'itself'),
      put(Buffer.from([1, 0xff, 0xff, 0xff]), 'under'),
      put(Buffer.from([2]), 'after'),
      put('auth/a', '1'),
      put('auth/b/c', '2'),
    ]);
    expect([...store.range(underPrefix(prefix))].map(([, value]) => value)).toEqual([
      'itself',
      'under',
    ]);
    expect([...afterPrefix(prefix)]).toEqual([2]);
    expect([...entriesUnder(store, 'auth/')]).toEqual([
      ['a', '1'],
      ['b/c', '2'],
    ]);
  });

  it('replaces, deletes, and keeps empty values apart from missing ones', async () => {
    const store = await open();
    await store.write([put('a', '1'), put('a', '2'), put('b'), put('c', '3'), del('c')]);
    expect(['a', 'b', 'c'].map((key) => store.get(key))).toEqual(['2', '', undefined]);
    await store.write([del('a'), del('none')]);
    expect(store.get('a')).toBeUndefined();
  });

  it('adds up numbers, also those of writes that go together', async () => {
    const store = await open();
    await Promise.all([
      store.write([add('n', 2), add('n', 3), add('gone', 1)]),
      store.write([add('n', -1), add('gone', -1)]),
    ]);
    await store.write([add('n', 10)]);
    expect([store.get('n'), store.get('gone')]).toEqual(['14', undefined]);
  });

  it('shows a write to reads from the moment it says so, and not before', async () => {
    const store = await open();
    const seen: unknown[] = [];
    const writing = [1, 2].map((n) =>
      store.write([put(`k${n}`, '1')], () => seen.push(n, store.get('k1'))),
    );
    expect(store.get('k1')).toBeUndefined();
    await Promise.all(writing);
    expect(seen).toEqual([1, '1', 2, '1']);
  });

  it('reads a range to its end though it is changed meanwhile', async () => {
    const store = await open();
    await store.write(['a', 'b', 'c'].map((key) => put(key, '1')));
    const reading = store.range({ start: 'a', end: 'z' })[Symbol.iterator]();
    reading.next();
    await store.write([del('b')]);
    expect(reading.next().value?.[0].toString()).toBe('b');
    reading.return?.();
  });

  it('has snapshots, which later writes do not change', async () => {
    const store = await open();
    await store.write([put('a', '1')]);
    const snapshot = store.snapshot();
    await store.write([put('a', '2'), put('b', '2')]);
    const range = { start: 'a', end: 'c' };
    expect(textsOf(snapshot.range(range))).toEqual(['a=1']);
    snapshot.release();
    expect(textsOf(store.range(range))).toEqual(['a=2', 'b=2']);
  });

  it('forgets everything when it is cleared', async () => {
    const store = await open();
    await store.write([put('a', '1')]);
    await store.clear();
    expect([store.get('a'), [...entriesUnder(store, 'a')]]).toEqual([undefined, []]);
    await store.write([put('b', '1')]);
    expect(store.get('b')).toBe('1');
  });

  it('has no value for a key that is longer than keys may be', async () => {
    expect((await open()).get('x'.repeat(5000))).toBeUndefined();
  });
});

describe('a folder', () => {
  it('is served once at a time, and can be read meanwhile and after', async () => {
    const folder = join(await tempFolder(), 'db');
    const store = await openLmdbStore(folder);
    await store.write([put('a', '1')]);
    await expect(openLmdbStore(folder)).rejects.toMatchObject({ code: 'locked' });
    expect(store.get('a')).toBe('1');
    await store.close();
    const again = await openLmdbStore(folder);
    expect(again.get('a')).toBe('1');
    await again.close();
    const reader = openLmdbReader(folder);
    expect(reader.get('a')).toBe('1');
    await reader.close();
  });

  it.each([
    ['bytes of something else', () => Buffer.alloc(20_000, 7)],
    ['its beginning only', (data: Buffer) => data.subarray(0, 100)],
    ['a damaged second page', (data: Buffer) => data.fill(0, 4096, 8192)],
  ])('is not opened with %s for its data', async (_name, damage) => {
    const folder = join(await tempFolder(), 'db');
    await (await openLmdbStore(folder)).close();
    const path = join(folder, 'data.mdb');
    await writeFile(path, damage(await readFile(path)));
    const opening = openLmdbStore(folder);
    await expect(opening).rejects.toMatchObject({
      code: 'unusable',
      cause: { message: 'The data file is damaged.' },
    });
  });

  it('has its whole lock file on the disk before it is used', async () => {
    const folder = join(await tempFolder(), 'db');
    const store = await openLmdbStore(folder);
    const { size, blocks } = await stat(join(folder, 'lock.mdb'));
    expect(blocks * 512).toBeGreaterThanOrEqual(size);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await store.close();
    expect(await readdir(folder)).toEqual(['data.mdb', 'lock.mdb']);
  });

  it('ends what is still read when it is closed', async () => {
    const store = await openLmdbStore(join(await tempFolder(), 'db'));
    const keys = Array.from({ length: 2000 }, (_, at) => `a${at}`);
    await store.write(keys.map((key) => put(key, 'x'.repeat(1000))));
    const range = { start: 'a', end: 'b' };
    // A read of freed memory ends the process by luck only, so there are many.
    const snapshots = Array.from({ length: 200 }, () => store.snapshot());
    const left = [...snapshots, store].map((each) => each.range(range)[Symbol.iterator]());
    const continued = [...snapshots, store].map((each) => each.range(range)[Symbol.iterator]());
    for (const each of [...left, ...continued]) expect(each.next().done).toBe(false);
    await store.write([put('b', '1')]);
    await store.close();
    for (const each of left) each.return?.();
    for (const each of continued) expect(() => each.next()).toThrow('has been closed');
    for (const each of [...snapshots, store]) {
      expect(() => each.get('a1')).toThrow('has been closed');
      expect(() => each.count(range)).toThrow('has been closed');
      expect(() => [...each.range(range)]).toThrow('has been closed');
    }
    await expect(store.write([put('c', '1')])).rejects.toThrow('has been closed');
    for (const each of snapshots) each.release();
  });
});
