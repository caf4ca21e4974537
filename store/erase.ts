import { databaseName, isThere } from './indexeddb/stores.ts';

/**
 * `blocked`: another tab holds the database open. It is erased when that tab closes it, unless the browser ends first.
 */
export type ErasureOutcome = 'erased' | 'blocked';

/** Whether this device has a database of that owner. */
export function hasDatabase(uid: string): Promise<boolean> {
  return isThere(databaseName(uid));
}

/** Erases an owner's database from this device. A missing database is no error. */
export function eraseDatabase(uid: string): Promise<ErasureOutcome> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName(uid));
    request.addEventListener('success', () => resolve('erased'));
    request.addEventListener('blocked', () => resolve('blocked'));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('A database could not be erased')),
    );
  });
}
