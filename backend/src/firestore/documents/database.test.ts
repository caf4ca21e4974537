import { describe, expect, it, vi } from 'vitest';
import {
  deleteWrite,
  int,
  map,
  query,
  setWrite,
  str,
  writes,
} from '../../../tests/support/firestore-json.ts';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import {
  aliceCaller,
  databaseNames,
  openTestDatabase,
  changesSince,
} from '../../../tests/support/test-database.ts';
import { StoreError } from '../../store/key-value-store.ts';
import type { AccessPolicy } from '../access-policy.ts';
import { admin } from '../../caller.ts';
import type { Database } from './database.ts';
import { microsToText } from '../values/timestamp.ts';
import { encodeFields } from '../values/value-codec.ts';

const fieldsOf = (database: Database, path: string) => {
  const document = database.peek(path);
  return document === null ? null : encodeFields(document.fields);
};
const commit = (database: Database, ...json: unknown[]) =>
  database.commit(aliceCaller, writes(...json));
const status = (code: string) => expect.objectContaining({ status: code });
const verify = (path: string, currentDocument: unknown) => ({
  verify: databaseNames.toName(path),
  currentDocument,
});
const inC = query('c', {});
const mustExist = { currentDocument: { exists: true } };
const mustNotExist = { currentDocument: { exists: false } };

describe('a commit', () => {
  it('replaces, merges by mask, removes masked fields that are absent, and deletes', async () => {
    const { database } = await openTestDatabase();
    await commit(database, setWrite('c/a', { x: int(1), m: map({ p: int(1), q: int(2) }) }));
    const updateMask = { fieldPaths: ['m.p', 'gone', 'x'] };
    await commit(
      database,
      setWrite('c/a', { m: map({ p: int(9), ignored: int(1) }) }, { updateMask }),
    );
    expect(fieldsOf(database, 'c/a')).toEqual({ m: map({ p: int(9), q: int(2) }) });
    await commit(database, setWrite('c/a', { y: int(1) }));
    expect(fieldsOf(database, 'c/a')).toEqual({ y: int(1) });
    await commit(database, deleteWrite('c/a'));
    expect(fieldsOf(database, 'c/a')).toBeNull();
  });

  it('lets later writes of a batch see earlier ones, and transforms run after their update', async () => {
    const { database } = await openTestDatabase();
    const updateTransforms = [{ fieldPath: 'n', increment: int(1) }];
    const result = await commit(
      database,
      setWrite('c/a', { n: int(10) }, { updateTransforms }),
      setWrite('c/a', {}, { updateMask: { fieldPaths: [] }, updateTransforms }),
    );
    expect(fieldsOf(database, 'c/a')).toEqual({ n: int(12) });
    expect(result.writes.map((each) => each.transformResults.length)).toEqual([1, 1]);
  });

  it('gives all documents of a batch one version, and keeps the version of an unchanged one', async () => {
    const { database } = await openTestDatabase();
    const first = await commit(database, setWrite('c/a', { n: int(1) }), setWrite('c/b', {}));
    const second = await commit(
      database,
      setWrite('c/a', { n: int(1) }),
      setWrite('c/b', { n: int(1) }),
    );
    expect(second.version).toBeGreaterThan(first.version);
    expect(second.writes.map((each) => each.after?.updateVersion)).toEqual([
      first.version,
      second.version,
    ]);
    expect(database.peek('c/b')).toMatchObject({
      createVersion: first.version,
      updateVersion: second.version,
    });
  });

  it('answers an empty commit without storing anything', async () => {
    const { database, store } = await openTestDatabase();
    const before = store.writes.length;
    expect((await commit(database)).writes).toEqual([]);
    expect(store.writes.length).toBe(before);
  });
});

describe('preconditions', () => {
  it.each([
    ['an update of a missing document', [setWrite('c/x', {}, mustExist)], 'NOT_FOUND'],
    ['a creation of an existing one', [setWrite('c/a', {}, mustNotExist)], 'ALREADY_EXISTS'],
    ['a delete of a missing one', [deleteWrite('c/x', mustExist)], 'NOT_FOUND'],
    ['an older version', [verify('c/a', { updateTime: microsToText(1) })], 'FAILED_PRECONDITION'],
    [
      'a version of a missing one',
      [verify('c/x', { updateTime: microsToText(1) })],
      'FAILED_PRECONDITION',
    ],
    [
      'an update after a delete in one batch',
      [deleteWrite('c/a'), setWrite('c/a', {}, mustExist)],
      'INVALID_ARGUMENT',
    ],
    [
      'two creations in one batch',
      [setWrite('c/x', {}, mustNotExist), setWrite('c/x', {}, mustNotExist)],
      'ALREADY_EXISTS',
    ],
  ])('%s is refused, and nothing of its batch is done', async (_name, failing, code) => {
    const { database, store } = await openTestDatabase();
    await commit(database, setWrite('c/a', { n: int(1) }));
    const stored = new Map(store.content);
    await expect(commit(database, setWrite('c/other', {}), ...failing)).rejects.toThrow(
      status(code),
    );
    expect(fieldsOf(database, 'c/other')).toBeNull();
    expect(fieldsOf(database, 'c/a')).toEqual({ n: int(1) });
    expect(store.content).toEqual(stored);
  });

  it('the version read is accepted with nine fraction digits, as the SDK sends it', async () => {
    const { database } = await openTestDatabase();
    const { version } = await commit(database, setWrite('c/a', {}));
    const updateTime = microsToText(version).replace('Z', '000Z');
    await commit(database, setWrite('c/a', { n: int(1) }, { currentDocument: { updateTime } }));
    expect(fieldsOf(database, 'c/a')).toEqual({ n: int(1) });
  });

  it('of two transactions that read the same version one fails, also when stored together', async () => {
    const { database } = await openTestDatabase();
    const { version } = await commit(database, setWrite('c/a', { n: int(0) }));
    const currentDocument = { updateTime: microsToText(version) };
    const results = await Promise.allSettled(
      [1, 2].map((n) => commit(database, setWrite('c/a', { n: int(n) }, { currentDocument }))),
    );
    expect(results.map((each) => each.status)).toEqual(['fulfilled', 'rejected']);
    expect(fieldsOf(database, 'c/a')).toEqual({ n: int(1) });
  });
});

describe('durability', () => {
  it('nothing is visible, told or acknowledged before it is on the disk', async () => {
    const { database, store } = await openTestDatabase();
    const told: number[] = [];
    database.onCommit(({ version }) => told.push(version));
    const disk = store.hold();
    let isAcknowledged = false;
    const pending = commit(database, setWrite('c/a', {})).then((result) => {
      isAcknowledged = true;
      return result;
    });
    const refusal = commit(database, setWrite('c/a', {}, mustNotExist));
    let isRefused = false;
    refusal.catch(() => {
      isRefused = true;
    });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    const read = database.readVersion();
    expect([fieldsOf(database, 'c/a'), told, isAcknowledged, isRefused]).toEqual([
      null,
      [],
      false,
      false,
    ]);

    disk.release();
    const { version } = await pending;
    await expect(refusal).rejects.toThrow(status('ALREADY_EXISTS'));
    expect([fieldsOf(database, 'c/a'), told]).toEqual([{}, [version]]);
    expect(read).toBeLessThan(version);
  });

  it('is read back the same after a restart, with versions that only rise', async () => {
    const store = createMemoryStore();
    const clock = createManualClock();
    const first = await openTestDatabase({ store, clock });
    const { version } = await commit(
      first.database,
      setWrite('c/a', { s: str('é') }),
      setWrite('c/😀', {}),
    );
    const read = first.database.readVersion();
    clock.set(clock.now() - 3_600_000);
    const second = await openTestDatabase({ store, clock });
    expect(fieldsOf(second.database, 'c/a')).toEqual({ s: str('é') });
    expect(fieldsOf(second.database, 'c/😀')).toEqual({});
    expect(second.database.peek('c/a')).toMatchObject({ updateVersion: version });
    expect(second.database.readVersion()).toBe(read);
    expect((await commit(second.database, setWrite('c/b', {}))).version).toBeGreaterThan(read);
  });

  it('keeps the change log over a restart', async () => {
    const store = createMemoryStore();
    const first = await openTestDatabase({ store });
    const from = first.database.readVersion();
    await commit(first.database, setWrite('c/a', { n: int(1) }), setWrite('c/b', {}));
    await commit(first.database, setWrite('c/a', { n: int(2) }));
    await commit(first.database, deleteWrite('c/a'));
    const { database } = await openTestDatabase({ store });
    expect(changesSince(database, inC, from)).toEqual(changesSince(first.database, inC, from));
    expect(changesSince(database, inC, from)).toEqual({
      isComplete: true,
      grown: 1,
      changes: new Map([
        ['c/a', { isIn: false, hasBeenIn: true, isOwn: true }],
        ['c/b', { isIn: true, hasBeenIn: false, isOwn: true }],
      ]),
    });
  });

  it('removes the evicted entries of the change log from the store, even without commits', async () => {
    const store = createMemoryStore();
    const clock = createManualClock();
    const first = await openTestDatabase({ store, clock });
    const logged = () => [...store.content.keys()].filter((key) => key.startsWith('fs/l/'));
    const from = first.database.readVersion();
    await commit(first.database, setWrite('c/a', { n: int(1) }));
    await commit(first.database, deleteWrite('c/a'));
    expect(logged().length).toBe(2);
    clock.advance(2 * 24 * 3_600_000);
    await commit(first.database);
    expect(logged()).toEqual([]);
    const { database } = await openTestDatabase({ store, clock });
    expect(changesSince(database, inC, from)).toMatchObject({
      isComplete: false,
      changes: new Map(),
    });
  });

  it('keeps the change log over a start with a clock that is days behind, until it has had an hour to be corrected', async () => {
    const store = createMemoryStore();
    const first = await openTestDatabase({ store });
    await commit(first.database, setWrite('c/a', { n: int(1) }));
    const from = first.database.readVersion();
    await commit(first.database, deleteWrite('c/a'));
    const clock = createManualClock(0);
    const { database } = await openTestDatabase({ store, clock });
    await commit(database);
    expect(changesSince(database, inC, from)).toMatchObject({ isComplete: true });
    clock.advance(3_600_000);
    await commit(database);
    expect(changesSince(database, inC, from)).toMatchObject({ isComplete: false });
  });

  it('counts what the change log holds, also when it is evicted beside a commit', async () => {
    const clock = createManualClock();
    const { database, store } = await openTestDatabase({ clock });
    for (let at = 0; at < 5; at++) await commit(database, setWrite('c/a', { n: int(at) }));
    const disk = store.hold();
    const pending = [1, 2].map((n) => commit(database, setWrite(`c/${n}`, {})));
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(2 * 24 * 3_600_000);
    disk.release();
    await Promise.all(pending);
    await commit(database, setWrite('c/b', {}));
    const logged = [...store.content.keys()].filter((key) => key.startsWith('fs/l/')).length;
    expect([store.get('fs/log/changes'), logged]).toEqual([String(logged), 1]);
  });

  it('keeps fields that have the names of what every object has', async () => {
    const store = createMemoryStore();
    const fields = { constructor: int(1), prototype: int(2), m: map({ constructor: int(3) }) };
    await commit((await openTestDatabase({ store })).database, setWrite('c/a', fields));
    expect(fieldsOf((await openTestDatabase({ store })).database, 'c/a')).toEqual(fields);
  });

  it('stores nothing by a transform that it could not read back', async () => {
    const store = createMemoryStore();
    const { database } = await openTestDatabase({ store });
    const at = (depth: number, transform: unknown) => {
      const fieldPath = Array.from({ length: depth }, () => 'm').join('.');
      return setWrite('c/a', {}, { updateTransforms: [{ fieldPath, ...Object(transform) }] });
    };
    const union = { appendMissingElements: { values: [map({ n: int(1) })] } };
    await commit(database, at(21, { increment: int(1) }));
    await commit(database, at(19, union));
    for (const tooDeep of [at(22, { increment: int(1) }), at(20, union)]) {
      await expect(commit(database, tooDeep)).rejects.toThrow(status('INVALID_ARGUMENT'));
    }
    const again = await openTestDatabase({ store });
    expect(fieldsOf(again.database, 'c/a')).toEqual(fieldsOf(database, 'c/a'));
  });

  it('a failed write changes nothing, and the next one may succeed', async () => {
    const { database, store, storageFailures } = await openTestDatabase();
    await commit(database, setWrite('c/a', { n: int(1) }));
    store.fail();
    await expect(commit(database, setWrite('c/a', { n: int(2) }))).rejects.toThrow(
      status('UNAVAILABLE'),
    );
    const read = database.readVersion();
    expect(fieldsOf(database, 'c/a')).toEqual({ n: int(1) });
    expect(storageFailures.length).toBe(1);
    store.fail(false);
    const { version } = await commit(database, setWrite('c/a', { n: int(3) }));
    expect(version).toBeGreaterThan(read);
    expect(fieldsOf(database, 'c/a')).toEqual({ n: int(3) });
  });

  it('after the store was closed a commit is refused', async () => {
    const { database, store } = await openTestDatabase();
    const closed = () => {
      throw new StoreError('closed', 'The store has been closed.');
    };
    vi.spyOn(store, 'get').mockImplementation(closed);
    vi.spyOn(store, 'range').mockImplementation(closed);
    await expect(commit(database, setWrite('c/a', {}))).rejects.toThrow(status('UNAVAILABLE'));
    await expect(database.commit(admin, [])).rejects.toThrow(status('UNAVAILABLE'));
  });
});

const denyWrites: AccessPolicy = ({ operation }) => operation === 'get' || operation === 'list';
const denyDeletes: AccessPolicy = ({ operation }) => operation !== 'delete';

describe('the policy', () => {
  it('decides on every write of a batch, and one refusal refuses all', async () => {
    const { database } = await openTestDatabase({ policy: denyDeletes });
    await commit(database, setWrite('c/a', {}));
    await expect(commit(database, setWrite('c/b', {}), deleteWrite('c/a'))).rejects.toThrow(
      status('PERMISSION_DENIED'),
    );
    expect([fieldsOf(database, 'c/a'), fieldsOf(database, 'c/b')]).toEqual([{}, null]);
  });

  it('sees before and after of each write, and the state before and after the batch', async () => {
    const seen: unknown[] = [];
    const policy: AccessPolicy = (request) => {
      if (request.operation === 'list') return true;
      const { operation, path, before, after, get, getAfter } = request;
      const other = path === 'c/a' ? 'c/b' : 'c/a';
      const states = [before, after, get(other), getAfter(other)];
      seen.push([operation, path, ...states.map((each) => each && encodeFields(each.fields))]);
      return true;
    };
    const { database } = await openTestDatabase({ policy });
    await commit(database, setWrite('c/a', { n: int(1) }), setWrite('c/b', { n: int(2) }));
    await commit(database, setWrite('c/a', { n: int(3) }), deleteWrite('c/b'));
    expect(seen).toEqual([
      ['create', 'c/a', null, { n: int(1) }, null, { n: int(2) }],
      ['create', 'c/b', null, { n: int(2) }, null, { n: int(1) }],
      ['update', 'c/a', { n: int(1) }, { n: int(3) }, { n: int(2) }, null],
      ['delete', 'c/b', { n: int(2) }, null, { n: int(1) }, { n: int(3) }],
    ]);
  });

  it('is asked as for a read before a verify', async () => {
    const { database } = await openTestDatabase({ policy: denyWrites });
    await database.commit(admin, writes(setWrite('c/a', {})));
    await commit(database, verify('c/a', { exists: true }));
    const blind = await openTestDatabase({ policy: () => false });
    await expect(commit(blind.database, verify('c/a', { exists: false }))).rejects.toThrow(
      status('PERMISSION_DENIED'),
    );
  });

  it('hides a failed precondition from those who may not read the document', async () => {
    const { database } = await openTestDatabase({ policy: () => false });
    await database.commit(admin, writes(setWrite('c/a', {})));
    await expect(commit(database, setWrite('c/a', {}, mustNotExist))).rejects.toThrow(
      status('PERMISSION_DENIED'),
    );
    const readable = await openTestDatabase({ policy: denyWrites });
    await readable.database.commit(admin, writes(setWrite('c/a', {})));
    await expect(commit(readable.database, setWrite('c/a', {}, mustNotExist))).rejects.toThrow(
      status('ALREADY_EXISTS'),
    );
  });

  it('hides how large a document is from those who may not read it', async () => {
    const { database } = await openTestDatabase({ policy: () => false });
    await database.commit(admin, writes(setWrite('c/a', { s: str('x'.repeat(1000)) })));
    const updateMask = { fieldPaths: ['t'] };
    const fill = (path: string) =>
      setWrite(path, { t: str('x'.repeat(1_048_000)) }, { updateMask });
    for (const path of ['c/a', 'c/none']) {
      await expect(commit(database, fill(path))).rejects.toThrow(status('PERMISSION_DENIED'));
    }
  });

  it('is not asked for the process itself', async () => {
    const { database } = await openTestDatabase({ policy: () => false });
    await database.commit(admin, writes(setWrite('c/a', {})));
    expect(database.get(admin, 'c/a')).not.toBeNull();
    expect(() => database.get(aliceCaller, 'c/a')).toThrow(status('PERMISSION_DENIED'));
  });
});
