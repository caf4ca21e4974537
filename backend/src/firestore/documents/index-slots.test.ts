import { describe, expect, it } from 'vitest';
import { int, orderBy, query, setWrite, writes } from '../../../tests/support/firestore-json.ts';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { openTestDatabase } from '../../../tests/support/test-database.ts';
import { admin } from '../../caller.ts';
import type { IndexShape } from '../query/index-range.ts';

const isDeclared = ({ orderBy: [first] }: IndexShape) => first?.field.text === 'declared';

async function setUp() {
  const store = createMemoryStore();
  const clock = createManualClock();
  const charged: string[] = [];
  const open = async () => {
    const { database } = await openTestDatabase({
      store,
      clock,
      isDeclared,
      limits: { unindexedDocuments: 0 },
      measure(user, work) {
        charged.push(user);
        return work();
      },
    });
    const callerOf = (uid: string) => ({ uid, claims: {}, expiresAtMs: Infinity });
    const ask = (uid: string, field: string) =>
      database.prepare(callerOf(uid), query('c', { orderBy: [orderBy(field)] }));
    /** Makes indexes for a user, one after the other. */
    const make = async (uid: string, count: number, first = 0) => {
      for (let at = first; at < first + count; at++) await ask(uid, `${uid}${at}`);
    };
    return { database, ask, make };
  };
  const test = await open();
  const all = Array.from({ length: 300 }, (_, at) => setWrite(`c/${at}`, { n: int(at) }));
  await test.database.commit(admin, writes(...all));
  return { ...test, clock, open, charged };
}

const refused = expect.objectContaining({ status: 'RESOURCE_EXHAUSTED' });
const users = (count: number) => Array.from({ length: count }, (_, at) => `user${at}x`);

describe('an index of a user', () => {
  it('is not evicted by another user who makes many, also after a restart', async () => {
    const { make, ask, open } = await setUp();
    await make('bob', 1);
    await make('alice', 40);
    expect(ask('bob', 'bob0')).toBeUndefined();
    await make('alice', 31, 50);
    const again = await open();
    await again.make('carol', 2);
    expect(again.ask('bob', 'bob0')).toBeUndefined();
    expect(again.ask('carol', 'carol0')).toBeUndefined();
  });

  it('is made though others have asked for as many as there may be', async () => {
    const { ask } = await setUp();
    const made = users(8).flatMap((uid) => [0, 1, 2, 3].map((at) => ask(uid, `${uid}${at}`)));
    made.push(ask('bob', 'bob0'));
    for (const each of made) await each;
    expect(ask('bob', 'bob0')).toBeUndefined();
  });

  it('is refused while each other user has one, until one of them was not used for an hour', async () => {
    const { make, ask, clock } = await setUp();
    for (const uid of users(32)) await make(uid, 1);
    expect(() => ask('bob', 'bob0')).toThrow(refused);
    clock.advance(3_600_001);
    for (const uid of users(31)) expect(ask(uid, `${uid}0`)).toBeUndefined();
    await ask('bob', 'bob0');
    expect(() => ask('carol', 'carol0')).toThrow(refused);
  });

  it('replaces the least recently used one of the same user where nobody has more', async () => {
    const { make, ask } = await setUp();
    for (const uid of users(16)) await make(uid, 2);
    const [first = '', second = ''] = users(16);
    expect(ask(first, `${first}0`)).toBeUndefined();
    await ask(first, 'another');
    expect(ask(first, `${first}0`)).toBeUndefined();
    expect(ask(second, `${second}0`)).toBeUndefined();
    await make('bob', 1);
    expect(ask('bob', 'bob0')).toBeUndefined();
  });

  it('is built in turn with those of others, and charged to the user', async () => {
    const { ask, charged } = await setUp();
    const made = [0, 1, 2, 3].map((at) => ask('alice', `alice${at}`));
    await ask('bob', 'bob0');
    expect(charged.filter((uid) => uid === 'alice').length).toBeLessThanOrEqual(3);
    expect(charged.filter((uid) => uid === 'bob').length).toBe(3);
    for (const each of made) await each;
    expect(charged.filter((uid) => uid === 'alice').length).toBe(12);
  });
});

describe('a declared index', () => {
  it('is made first, and stays, whatever others ask for, and is charged to nobody', async () => {
    const { ask, make, charged } = await setUp();
    const made = users(8).flatMap((uid) => [0, 1, 2, 3].map((at) => ask(uid, `${uid}${at}`)));
    await ask('bob', 'declared');
    expect(charged.length).toBeLessThan(3);
    for (const each of made) await each;
    await make('alice', 40);
    for (const uid of users(30)) await make(uid, 1);
    expect(ask('bob', 'declared')).toBeUndefined();
  });
});
