import 'fake-indexeddb/auto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from './rxdb/database.ts';
import { raiseStores } from './indexeddb/raise-stores.ts';
import { eraseDatabase, hasDatabase, type ErasureOutcome } from './erase.ts';
import { databaseName } from './indexeddb/stores.ts';

async function databaseNames(): Promise<string[]> {
  return (await indexedDB.databases()).map(({ name }) => name ?? '');
}

it('erases all of one owner and nothing of another', async () => {
  for (const uid of ['Robin', 'robin']) {
    const database = await openDatabase({ uid, raise: raiseStores });
    await database.pets.count().exec();
    await database.close();
  }
  expect(await hasDatabase('Robin')).toBe(true);
  expect(await eraseDatabase('Robin')).toBe('erased');
  expect([await hasDatabase('Robin'), await hasDatabase('robin')]).toEqual([false, true]);
  const left = await databaseNames();
  expect(left.filter((name) => name.includes(databaseName('Robin')))).toEqual([]);
  expect(left.filter((name) => name.includes(databaseName('robin')))).not.toEqual([]);
});

it('is blocked while a tab holds the database open, and erases it when that tab closes it', async () => {
  const request = indexedDB.open(databaseName('held'));
  await vi.waitFor(() => expect(request.readyState).toBe('done'));
  expect(await eraseDatabase('held')).toBe('blocked');
  request.result.close();
  await vi.waitFor(async () => expect(await hasDatabase('held')).toBe(false));
});

it('is blocked while a frozen tab does not even hear of the erasure', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  // The code under test reads the events alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const silent = new EventTarget() as IDBOpenDBRequest;
  vi.spyOn(indexedDB, 'deleteDatabase').mockReturnValue(silent);
  const end = vi.fn<(outcome: ErasureOutcome) => void>();
  const erasing = eraseDatabase('frozen').then(end);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(end).toHaveBeenCalledWith('blocked');
  await erasing;
  const answered = eraseDatabase('answered');
  silent.dispatchEvent(new Event('success'));
  expect(await answered).toBe('erased');
  expect(vi.getTimerCount()).toBe(0);
});

it('fails if the browser cannot erase', async () => {
  const failing = new EventTarget();
  const error = new DOMException('', 'UnknownError');
  vi.spyOn(indexedDB, 'deleteDatabase').mockReturnValue(
    // The code under test reads the events and the error alone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    Object.assign(failing, { error }) as IDBOpenDBRequest,
  );
  const erased = eraseDatabase('nobody');
  failing.dispatchEvent(new Event('error'));
  await expect(erased).rejects.toBe(error);
});

it('gives owners whose ids differ in case alone different databases', () => {
  expect(databaseName('aB')).not.toBe(databaseName('Ab'));
  expect(databaseName('aB')).toMatch(/^[a-z][a-z0-9_-]*$/);
});
