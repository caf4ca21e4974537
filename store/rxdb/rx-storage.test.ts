import 'fake-indexeddb/auto';
import { forceCloseDatabase } from 'fake-indexeddb';
import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb/plugins/core';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOwnStorage } from '../../tests/support/setups/own-storage.ts';
import { openDatabase } from './database.ts';
import { raiseStores } from '../indexeddb/raise-stores.ts';
import { eraseDatabase, hasDatabase } from '../erase.ts';

interface Row {
  readonly id: string;
  readonly group: string;
  readonly isOn: boolean;
  readonly note?: string;
}

const schema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 20 },
    group: { type: 'string', maxLength: 20 },
    isOn: { type: 'boolean' },
    note: { type: 'string' },
  },
  required: ['id', 'group', 'isOn'],
  indexes: [['group', 'isOn', 'id']],
} as const;

let database: RxDatabase<{ rows: RxCollection<Row> }>;
let rows: RxCollection<Row>;
let count = 0;

beforeEach(async () => {
  count += 1;
  database = await createRxDatabase({ name: `own-${count}`, storage: createOwnStorage() });
  ({ rows } = await database.addCollections({ rows: { schema } }));
});

afterEach(async () => {
  await database.close();
});

const row = (id: string, group = 'a', isOn = true): Row => ({ id, group, isOn });

it('refuses a schema that asks for what it does not do, rather than to store rows as they are', async () => {
  const odd = await createRxDatabase({ name: `odd-${count}`, storage: createOwnStorage() });
  onTestFinished(async () => {
    await odd.close();
  });
  const encrypted = { ...schema, encrypted: ['note'] };
  const compressed = { ...schema, keyCompression: true };
  await expect(odd.addCollections({ rows: { schema: encrypted } })).rejects.toThrow('UT6');
  await expect(odd.addCollections({ others: { schema: compressed } })).rejects.toThrow('UT5');
});

describe('writes', () => {
  it('are strict, in one transaction each', async () => {
    const opened = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await rows.insert(row('one'));
    expect(opened.mock.calls).toEqual([['rows', 'readwrite', { durability: 'strict' }]]);
  });

  it('are committed when each request was answered, which not all browsers wait for', async () => {
    const added = vi.spyOn(IDBObjectStore.prototype, 'add');
    const put = vi.spyOn(IDBObjectStore.prototype, 'put');
    const states = new Set<string>();
    const requests = (): IDBRequest[] =>
      [...added.mock.results, ...put.mock.results].map(({ value }) => value);
    // The proxy passes `this` on.
    // oxlint-disable-next-line typescript/unbound-method
    const { commit } = IDBTransaction.prototype;
    IDBTransaction.prototype.commit = new Proxy(commit, {
      apply: (target, transaction) => {
        for (const { readyState } of requests()) states.add(readyState);
        Reflect.apply(target, transaction, []);
      },
    });
    onTestFinished(() => {
      IDBTransaction.prototype.commit = commit;
    });
    await rows.bulkInsert([row('one'), row('two')]);
    await rows.bulkUpsert([row('one', 'b'), row('two', 'b')]);
    expect(requests().length).toBeGreaterThanOrEqual(4);
    expect([...states]).toEqual(['done']);
  });

  it('are refused row by row where somebody else was first', async () => {
    await rows.insert(row('one', 'first'));
    const { success, error } = await rows.bulkInsert([row('one', 'second'), row('two')]);
    expect(success.map(({ id }) => id)).toEqual(['two']);
    expect(error).toMatchObject([{ status: 409, documentId: 'one' }]);
    expect((await rows.findOne('one').exec())?.group).toBe('first');
  });

  it('of one row from many sides happen one after another, and none is lost', async () => {
    const stored = await rows.insert({ ...row('one'), note: '' });
    await Promise.all(
      Array.from({ length: 20 }, () =>
        stored.incrementalModify((before) => ({ ...before, note: `${before.note ?? ''}x` })),
      ),
    );
    expect((await rows.findOne('one').exec())?.note).toBe('x'.repeat(20));
  });

  it('fail with what the disk says', async () => {
    const full = (): never => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(full);
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(full);
    await expect(rows.insert(row('one'))).rejects.toMatchObject({ name: 'QuotaExceededError' });
    await rows.insert(row('one'));
  });

  it('of what is there already need no room', async () => {
    await rows.insert(row('one'));
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const { error } = await rows.bulkInsert([row('one')]);
    expect(error).toMatchObject([{ status: 409 }]);
  });

  it('are there whole or not at all', async () => {
    const cannotBeStored = () => undefined;
    // A defect might pass a function, which IndexedDB cannot clone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const broken = { ...row('two'), note: cannotBeStored } as unknown as Row;
    await expect(rows.bulkInsert([row('one'), broken])).rejects.toMatchObject({
      name: 'DataCloneError',
    });
    expect(await rows.find().exec()).toEqual([]);
  });
});

describe('a removed row', () => {
  it('is in no query and no count, and can come back', async () => {
    const stored = await rows.insert(row('one'));
    await rows.insert(row('two'));
    await stored.remove();
    const ofGroup = { selector: { group: 'a', isOn: true } };
    expect((await rows.find(ofGroup).exec()).map(({ id }) => id)).toEqual(['two']);
    expect(await rows.count(ofGroup).exec()).toBe(1);
    expect((await rows.find().exec()).map(({ id }) => id)).toEqual(['two']);
    await rows.insert(row('one', 'b'));
    expect((await rows.findOne('one').exec())?.group).toBe('b');
  });

  it('is forgotten by a clean-up', async () => {
    const stored = await rows.insert(row('one'));
    await stored.remove();
    expect(await rows.storageInstance.findDocumentsById(['one'], true)).toHaveLength(1);
    await rows.storageInstance.cleanup(0);
    expect(await rows.storageInstance.findDocumentsById(['one'], true)).toEqual([]);
  });

  it('stays for the time that a clean-up leaves it, and rows that are not removed stay for ever', async () => {
    await rows.insert(row('live'));
    await (await rows.insert(row('one'))).remove();
    const idsAfter = async (minimumMs: number): Promise<string[]> => {
      expect(await rows.storageInstance.cleanup(minimumMs)).toBe(true);
      const left = await rows.storageInstance.findDocumentsById(['live', 'one'], true);
      return left.map(({ id }) => id);
    };
    expect(await idsAfter(60_000)).toEqual(['live', 'one']);
    expect(await idsAfter(-60_000)).toEqual(['live']);
  });

  it('is found by its id only if removed rows are asked for', async () => {
    await rows.insert(row('live'));
    await (await rows.insert(row('one'))).remove();
    const found = await rows.storageInstance.findDocumentsById(['live', 'one'], false);
    expect(found.map(({ id }) => id)).toEqual(['live']);
  });
});

it('a closed collection neither reads nor writes, and says so', async () => {
  const { storageInstance } = rows;
  await database.close();
  const refused = 'rows is closed';
  await expect(storageInstance.findDocumentsById(['one'], true)).rejects.toThrow(refused);
  await expect(storageInstance.cleanup(0)).rejects.toThrow(refused);
});

describe('a database that goes while it is open', () => {
  async function openOwner() {
    const uid = crypto.randomUUID();
    const owner = await openDatabase({ uid, raise: raiseStores });
    onTestFinished(async () => void (await owner.close()));
    const write = (id: string) =>
      owner.local.upsert({ id, kind: 'delete-pet', data: { kind: 'delete-pet', petId: id } });
    await write('one');
    return { uid, owner, write };
  }

  it('takes nothing any more once the browser has closed it', async () => {
    const { owner, write } = await openOwner();
    const { database: connection } = owner.local.storageInstance.internals;
    forceCloseDatabase(connection);
    await expect(write('two')).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('is reported when the browser closes it, and not when it is closed here or erased', async () => {
    const onLost = vi.fn<() => void>();
    const open = (uid: string) => openDatabase({ uid, raise: raiseStores, onLost });
    await (await open('closed-here')).close();
    const erased = await open('erased');
    await eraseDatabase('erased');
    await erased.close();
    const lost = await open('lost');
    expect(onLost).not.toHaveBeenCalled();
    forceCloseDatabase(lost.local.storageInstance.internals.database);
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(1));
    await lost.close();
  });

  it('is not made again after another tab had it erased', async () => {
    const { uid, write } = await openOwner();
    await eraseDatabase(uid);
    await expect(write('two')).rejects.toMatchObject({ name: 'InvalidStateError' });
    expect(await hasDatabase(uid)).toBe(false);
  });
});

describe('queries', () => {
  it('read a page of an index by its limit, and go on where rows in between do not match', async () => {
    const all = Array.from({ length: 40 }, (_, at) =>
      row(`r${String(at).padStart(2, '0')}`, 'a', at % 10 === 9),
    );
    await rows.bulkInsert(all);
    const read = vi.spyOn(IDBIndex.prototype, 'getAll');
    const found = await rows
      .find({
        selector: { group: 'a', isOn: true },
        sort: [{ group: 'asc' }, { isOn: 'asc' }, { id: 'asc' }],
        limit: 2,
      })
      .exec();
    expect(found.map(({ id }) => id)).toEqual(['r09', 'r19']);
    expect(read.mock.calls.map(([, limit]) => limit)).toEqual([2, 8, 32]);
  });

  it('of an index that is not there are refused', async () => {
    const plan = { selector: { note: 'x' }, index: ['note'] };
    await expect(rows.find(plan).exec()).rejects.toThrow('no index of note');
  });
});
