import { databaseName, isThere } from './indexeddb/stores.ts';

/**
 * `blocked`: another tab holds the database open. It is erased when that tab closes it, unless the browser ends first.
 * A frozen tab does not even learn that it is in the way, and the browser reports nothing until it resumes.
 */
export type ErasureOutcome = 'erased' | 'blocked';

/** The time after which an erasure without an answer counts as blocked. */
const patienceMs = 5_000;

/** Whether this device has a database of that owner. */
export function hasDatabase(uid: string): Promise<boolean> {
  return isThere(databaseName(uid));
}

/** Erases an owner's database from this device. A missing database is no error. */
export function eraseDatabase(uid: string): Promise<ErasureOutcome> {
  let timer = 0;
  return new Promise<ErasureOutcome>((resolve, reject) => {
    timer = setTimeout(resolve, patienceMs, 'blocked');
    const request = indexedDB.deleteDatabase(databaseName(uid));
    request.addEventListener('success', () => resolve('erased'));
    request.addEventListener('blocked', () => resolve('blocked'));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('A database could not be erased')),
    );
  }).finally(() => clearTimeout(timer));
}
