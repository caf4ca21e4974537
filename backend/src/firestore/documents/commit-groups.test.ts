import { describe, expect, it } from 'vitest';
import {
  deleteWrite,
  int,
  query,
  setWrite,
  writes,
} from '../../../tests/support/firestore-json.ts';
import { aliceCaller, answerOf, openTestDatabase } from '../../../tests/support/test-database.ts';
import { encodeFields } from '../values/value-codec.ts';
import type { Database } from './database.ts';

const inC = query('c', {});
const commit = (database: Database, ...json: unknown[]) =>
  database.commit(aliceCaller, writes(...json));

describe('commits that wait together', () => {
  it('are stored in one write, in order', async () => {
    const { database, store } = await openTestDatabase();
    const disk = store.hold();
    const first = commit(database, setWrite('c/a', { n: int(0) }));
    await Promise.resolve();
    const before = store.writes.length;
    const increment = {
      updateTransforms: [{ fieldPath: 'n', increment: int(1) }],
      updateMask: { fieldPaths: [] },
    };
    const rest = Array.from({ length: 50 }, () => commit(database, setWrite('c/a', {}, increment)));
    disk.release();
    await first;
    const versions = (await Promise.all(rest)).map((each) => each.version);
    expect(store.writes.length - before).toBe(2);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(50);
    expect(encodeFields(database.peek('c/a')?.fields ?? new Map())).toEqual({ n: int(50) });
  });

  it('are seen by listeners as one version, also where documents were read before', async () => {
    const { database, store } = await openTestDatabase();
    await commit(database, setWrite('c/a', {}), setWrite('c/b', {}));
    const disk = store.hold();
    const first = commit(database, setWrite('c/0', {}));
    await Promise.resolve();
    const rest = [commit(database, deleteWrite('c/a')), commit(database, deleteWrite('c/b'))];
    const group = rest.map(async (each) => (await each).version);
    const reads: unknown[] = [];
    database.onCommit(() => {
      const found = answerOf(database, inC);
      const got = ['c/0', 'c/a', 'c/b'].filter((path) => database.peek(path) !== null);
      reads.push([found.map((each) => each.path), got]);
    });
    disk.release();
    await Promise.all([first, ...group]);
    expect(reads).toHaveLength(3);
    expect(reads.slice(1)).toEqual([
      [['c/0'], ['c/0']],
      [['c/0'], ['c/0']],
    ]);
  });
});
