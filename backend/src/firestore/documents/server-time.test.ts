import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { deleteWrite, setWrite, writes } from '../../../tests/support/firestore-json.ts';
import { aliceCaller, openTestDatabase } from '../../../tests/support/test-database.ts';
import type { AccessPolicy } from '../access-policy.ts';
import { encodeFields } from '../values/value-codec.ts';
import type { Database } from './database.ts';

const commit = (database: Database, ...json: unknown[]) =>
  database.commit(aliceCaller, writes(...json));
const refused = deleteWrite('c/x', { currentDocument: { exists: true } });

describe('a server whose clock was years ahead', () => {
  it('has the wall clock in rules and server timestamps once it is corrected', async () => {
    const store = createMemoryStore();
    const clock = createManualClock();
    const startMs = clock.now();
    const seen: string[] = [];
    const policy: AccessPolicy = ({ time, operation }) => {
      if (operation === 'update') seen.push(time.text);
      return true;
    };
    const updateTransforms = [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }];
    const stamp = async ({ database }: { database: Database }) => {
      const { version } = await commit(database, setWrite('c/a', {}, { updateTransforms }));
      return { version, at: encodeFields(database.peek('c/a')?.fields ?? new Map())['at'] };
    };
    const first = await openTestDatabase({ store, clock, policy });
    clock.set(Date.UTC(2036, 0, 1));
    const ahead = await stamp(first);
    clock.set(startMs + 1000);
    const corrected = await stamp(first);
    clock.advance(1000);
    const restarted = await stamp(await openTestDatabase({ store, clock, policy }));
    expect([ahead.at, corrected.at, restarted.at]).toEqual([
      { timestampValue: '2036-01-01T00:00:00Z' },
      { timestampValue: '2026-01-01T00:00:01Z' },
      { timestampValue: '2026-01-01T00:00:02Z' },
    ]);
    expect(seen).toEqual(['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z']);
    expect([corrected.version - ahead.version, restarted.version - corrected.version]).toEqual([
      1, 1,
    ]);
  });

  it('keeps no version of a commit that was refused or empty', async () => {
    const clock = createManualClock();
    const { database, store } = await openTestDatabase({ clock });
    clock.advance(1000);
    const nowMs = clock.now();
    clock.set(Date.UTC(2036, 0, 1));
    await commit(database);
    await expect(commit(database, refused)).rejects.toThrow('No document to update');
    clock.set(nowMs);
    const group = [setWrite('c/a', {}), refused, setWrite('c/b', {})];
    const results = await Promise.allSettled(group.map((each) => commit(database, each)));
    const versions = results.map((each) => each.status === 'fulfilled' && each.value.version);
    expect(versions).toEqual([nowMs * 1000, false, nowMs * 1000 + 1]);
    expect(database.readVersion()).toBe(nowMs * 1000 + 1);
    expect((await openTestDatabase({ store })).database.readVersion()).toBe(nowMs * 1000 + 1);
  });
});
