import { databaseName } from './indexeddb/stores.ts';

/** `blocked`: another tab holds the database open; it goes when that tab lets it go, unless the browser ends first. */
export type ErasureOutcome = 'erased' | 'blocked';

/** Whether anything of that owner is on this device. */
export async function hasDatabase(uid: string): Promise<boolean> {
  const own = databaseName(uid);
  return (await indexedDB.databases()).some(({ name }) => name === own);
}

/** Erases an owner's database from this device. One that is not there is no error. */
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
