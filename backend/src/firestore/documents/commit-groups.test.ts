import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  deleteWrite,
  int,
  query,
  setWrite,
  writes,
} from '../../../tests/support/firestore-json.ts';
import { aliceCaller, answerOf, openTestDatabase } from '../../../tests/support/test-database.ts';
import { StoreError, underPrefix, type StoreOperation } from '../../store/key-value-store.ts';
import { eventually } from '../../../tests/support/eventually.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { commitPrefix } from './document-keys.ts';
import { encodeFields } from '../values/value-codec.ts';
import { server, type Sender } from '../commit/sender.ts';
import { revoked } from '../firestore-error.ts';
import type { Database } from './database.ts';

const inC = query('c', {});
const commit = (database: Database, ...json: unknown[]) =>
  database.commit(aliceCaller, writes(...json));

const sender = (key: string, of: Partial<Sender>): Sender => ({ ...server, key, ...of });

describe('commits that wait together', () => {
  it('take turns by sender, whoever has used least first, and in order for each', async () => {
    const { database, store } = await openTestDatabase();
    const busy = sender('busy', { usedMs: () => 900 });
    const idle = sender('idle', { usedMs: () => 1 });
    const disk = store.hold();
    const first = commit(database, setWrite('c/0', {}));
    await Promise.resolve();
    const order: string[] = [];
    const send = async (by: Sender, path: string): Promise<void> => {
      await database.commit(aliceCaller, writes(setWrite(path, {})), by);
      order.push(path);
    };
    const busyOnes = ['b/1', 'b/2', 'b/3'].map((path) => send(busy, path));
    const idleOnes = ['i/1', 'i/2'].map((path) => send(idle, path));
    disk.release();
    await Promise.all([first, ...busyOnes, ...idleOnes]);
    expect(order).toEqual(['i/1', 'b/1', 'i/2', 'b/2', 'b/3']);
  });

  it('are refused when their turn comes, if their sender may no longer write', async () => {
    const { database, store } = await openTestDatabase();
    let isCurrent = true;
    const check = () => {
      if (!isCurrent) throw revoked();
    };
    const disk = store.hold();
    const first = commit(database, setWrite('c/0', {}));
    await Promise.resolve();
    const late = database.commit(aliceCaller, writes(setWrite('c/a', {})), sender('x', { check }));
    const rest = Promise.allSettled([late, commit(database, setWrite('c/b', {}))]);
    isCurrent = false;
    disk.release();
    await first;
    expect(await rest).toMatchObject([
      { status: 'rejected', reason: { status: 'UNAUTHENTICATED' } },
      { status: 'fulfilled' },
    ]);
    expect([database.peek('c/a'), database.peek('c/b')]).toEqual([null, expect.anything()]);
  });

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

  it('are checked by the rules against the state that the earlier ones leave', async () => {
    const { database, store } = await openTestDatabase({
      policy: (request) =>
        !('path' in request) || request.path !== 'c/b' || request.get('c/a') === null,
    });
    const disk = store.hold();
    const first = commit(database, setWrite('c/0', {}));
    await Promise.resolve();
    const before = store.writes.length;
    const rest = [commit(database, setWrite('c/a', {})), commit(database, setWrite('c/b', {}))];
    const settled = Promise.allSettled(rest);
    disk.release();
    await first;
    expect(await settled).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { status: 'PERMISSION_DENIED' } },
    ]);
    expect(store.writes.length - before).toBe(2);
    expect(database.peek('c/b')).toBeNull();
  });

  it('are stored one by one when they cannot be stored together', async () => {
    const store = createMemoryStore();
    const isTooLarge = (operations: readonly StoreOperation[]) =>
      operations.some((each) => each.type === 'put' && each.value.includes('too large'));
    const { database, storageFailures } = await openTestDatabase({
      store: {
        ...store,
        write: async (operations, onPublished) => {
          if (isTooLarge(operations)) throw new StoreError('failed', 'The disk is full.');
          await store.write(operations, onPublished);
        },
      },
    });
    const disk = store.hold();
    const first = commit(database, setWrite('c/0', {}));
    await Promise.resolve();
    const texts = ['small', 'too large', 'small'];
    const rest = texts.map((text, at) =>
      commit(database, setWrite(`c/${at + 1}`, { text: { stringValue: text } })),
    );
    const settled = Promise.allSettled(rest);
    disk.release();
    await first;
    expect(await settled).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { status: 'UNAVAILABLE' } },
      { status: 'fulfilled' },
    ]);
    expect(answerOf(database, inC).map(({ path }) => path)).toEqual(['c/0', 'c/1', 'c/3']);
    // The group, and then the commit that is too large.
    expect(storageFailures).toHaveLength(2);
  });

  it('are stored in more writes when they are large, so that other work comes between', async () => {
    const { database, store } = await openTestDatabase();
    const disk = store.hold();
    const first = commit(database, setWrite('c/first', {}));
    await Promise.resolve();
    const before = store.writes.length;
    const large = (name: string, count: number) =>
      commit(
        database,
        ...Array.from({ length: count }, (_, at) => setWrite(`c/${name}-${at}`, {})),
      );
    const rest = [large('a', 1500), large('b', 1500), large('c', 1), large('d', 1)];
    disk.release();
    await Promise.all([first, ...rest]);
    expect(store.writes.length - before).toBe(3);
  });

  it('are refused when the database is closed, except those that are being stored', async () => {
    const { database, store } = await openTestDatabase();
    const disk = store.hold();
    const first = commit(database, setWrite('c/a', {}));
    await Promise.resolve();
    const second = commit(database, setWrite('c/b', {}));
    const settled = Promise.allSettled([first, second]);
    const closed = database.close();
    disk.release();
    await closed;
    expect(await settled).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { status: 'UNAVAILABLE' } },
    ]);
    expect([database.peek('c/a')?.path, database.peek('c/b')]).toEqual(['c/a', null]);
  });

  it('of many writes are checked in slices, between which others read and ask for commits', async () => {
    const clock = createManualClock();
    const { database } = await openTestDatabase({
      clock,
      policy: () => {
        clock.advance(0.2);
        return true;
      },
    });
    const many = Array.from({ length: 500 }, (_, at) => setWrite(`c/${at}`, {}));
    const large = commit(database, ...many);
    const state = { isOver: false, turns: 0 };
    const watch = async (): Promise<number> => {
      for (; !state.isOver; state.turns++) {
        // Nothing is seen before all of it is stored.
        expect(database.peek('c/0')).toBeNull();
        await nextTurn();
      }
      return state.turns;
    };
    const watched = watch();
    const small = commit(database, setWrite('c/0', { n: int(1) }));
    const { version } = await large;
    state.isOver = true;
    expect(await watched).toBeGreaterThan(5);
    expect((await small).version).toBeGreaterThan(version);
    expect(encodeFields(database.peek('c/0')?.fields ?? new Map())).toEqual({ n: int(1) });
  });

  it('evict the whole surplus of the log, also when no commit follows', async () => {
    const clock = createManualClock();
    const { database, store } = await openTestDatabase({ clock });
    const many = (name: string) =>
      Array.from({ length: 1500 }, (_, at) => setWrite(`c/${name}-${at}`, {}));
    for (const name of ['a', 'b', 'c']) await commit(database, ...many(name));
    const logged = () => [...store.range(underPrefix(commitPrefix))].length;
    expect(logged()).toBe(3);
    const [before, dayMs] = [store.writes.length, 24 * 3_600_000];
    clock.advance(dayMs + 3_600_000);
    await eventually(() => expect(logged()).toBe(0));
    expect(store.writes.length - before).toBe(3);
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
