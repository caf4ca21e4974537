import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { answerOf, writeTo } from '../../store/indexeddb/requests.ts';
import { guardPageCache } from './page-cache.ts';

const leave = (persisted: boolean) =>
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted }));
const comeBack = (persisted: boolean) =>
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));

const reload = vi.fn<() => void>();
guardPageCache(reload);

async function openNumbers(): Promise<IDBDatabase> {
  const request = indexedDB.open(crypto.randomUUID());
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore('numbers'));
  return answerOf(request);
}

/** Starts a transaction that never ends by itself, like one whose events are not dispatched. */
function holdForever(database: IDBDatabase, mode: IDBTransactionMode): IDBTransaction {
  const transaction = database.transaction('numbers', mode);
  const objects = transaction.objectStore('numbers');
  const ask = (): void => objects.get(1).addEventListener('success', ask);
  ask();
  return transaction;
}

const endOf = (transaction: IDBTransaction): Promise<string> =>
  new Promise((resolve) => {
    for (const name of ['complete', 'abort']) {
      transaction.addEventListener(name, () => resolve(name));
    }
  });

it('leaves the transactions of a page alone that is not kept', async () => {
  const database = await openNumbers();
  const write = writeTo(database, 'numbers', (transaction) =>
    answerOf(transaction.objectStore('numbers').put('one', 1)),
  );
  leave(false);
  comeBack(false);
  await expect(write).resolves.toBe(1);
  expect(reload).not.toHaveBeenCalled();
});

// This test is the last one, because the page counts as kept from then on.
it('aborts the transactions of a page that is kept, lets a commit through, and reloads the page when it is shown again', async () => {
  const [read, written, committed] = [
    await openNumbers(),
    await openNumbers(),
    await openNumbers(),
  ];
  const ends = [holdForever(read, 'readonly'), holdForever(written, 'readwrite')].map(endOf);
  const commit = committed.transaction('numbers', 'readwrite');
  commit.objectStore('numbers').put('one', 1);
  commit.commit();
  leave(true);
  ends.push(endOf(written.transaction('numbers', 'readwrite')), endOf(commit));
  await expect(Promise.all(ends)).resolves.toEqual(['abort', 'abort', 'abort', 'complete']);

  expect(reload).not.toHaveBeenCalled();
  comeBack(true);
  expect(reload).toHaveBeenCalledTimes(1);
});
