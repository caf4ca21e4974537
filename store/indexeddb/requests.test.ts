import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answerOf, eachOf, endOfTransaction, writeTo } from './requests.ts';

let database: IDBDatabase;

beforeEach(async () => {
  const name = crypto.randomUUID();
  const request = indexedDB.open(name);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('things', { keyPath: 'id' });
    request.result.createObjectStore('others', { keyPath: 'id' });
  });
  database = await answerOf(request);
  onTestFinished(() => {
    database.close();
    indexedDB.deleteDatabase(name);
  });
});

const read = (): IDBObjectStore => database.transaction('things').objectStore('things');
const ids = (): Promise<IDBValidKey[]> => answerOf(read().getAllKeys());
const put = (id: string) =>
  writeTo(database, 'things', (transaction) =>
    answerOf(transaction.objectStore('things').put({ id })),
  );

describe('a request', () => {
  it('gives its result', async () => {
    await put('a');
    expect(await answerOf(read().get('a'))).toEqual({ id: 'a' });
    expect(await answerOf(read().get('b'))).toBeUndefined();
  });

  it('rejects with its own error', async () => {
    await put('a');
    const added = writeTo(database, 'things', (transaction) =>
      answerOf(transaction.objectStore('things').add({ id: 'a' })),
    );
    await expect(added).rejects.toMatchObject({ name: 'ConstraintError' });
  });
});

describe('a cursor', () => {
  it('visits each row in order, and none of an empty range', async () => {
    for (const id of ['c', 'a', 'b']) await put(id);
    const seen: IDBValidKey[] = [];
    await eachOf(read().openKeyCursor(), ({ key }) => void seen.push(key));
    expect(seen).toEqual(['a', 'b', 'c']);
    await eachOf(read().openKeyCursor(IDBKeyRange.only('x')), ({ key }) => void seen.push(key));
    expect(seen).toHaveLength(3);
  });
});

describe('a write', () => {
  it('gives the result of the work, and everything is stored by then', async () => {
    const result = await writeTo(database, ['things', 'others'], async (transaction) => {
      await answerOf(transaction.objectStore('things').put({ id: 'a' }));
      await answerOf(transaction.objectStore('others').put({ id: 'b' }));
      return 'done';
    });
    expect(result).toBe('done');
    expect(await ids()).toEqual(['a']);
  });

  it('asks the browser to write to the disk before it resolves', async () => {
    let durability = '';
    await writeTo(database, 'things', async (transaction) => {
      ({ durability } = transaction);
    });
    expect(durability).toBe('strict');
  });

  it('stores nothing if the work fails', async () => {
    const written = writeTo(database, 'things', async (transaction) => {
      await answerOf(transaction.objectStore('things').put({ id: 'a' }));
      throw new Error('no');
    });
    await expect(written).rejects.toThrow('no');
    expect(await ids()).toEqual([]);
  });

  it('fails with the error of the work, also if the transaction has ended before', async () => {
    const written = writeTo(database, 'things', async (transaction) => {
      const ended = endOfTransaction(transaction);
      transaction.commit();
      await ended;
      throw new Error('too late');
    });
    await expect(written).rejects.toThrow('too late');
  });

  it('fails if the browser aborts it', async () => {
    const written = writeTo(database, 'things', async (transaction) => {
      await answerOf(transaction.objectStore('things').put({ id: 'a' }));
      transaction.abort();
    });
    await expect(written).rejects.toThrow(DOMException);
    expect(await ids()).toEqual([]);
  });
});

it('the end of an aborted transaction is an error', async () => {
  const transaction = database.transaction('things', 'readwrite');
  const ended = endOfTransaction(transaction);
  transaction.abort();
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
});
