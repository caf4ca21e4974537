import { databaseName } from './stores.ts';

/**
 * Erases an owner's databases from this device by name: RxDB's own removal leaves empty databases behind.
 * `blocked`: another tab holds a database open; it goes when that tab lets it go, unless the browser ends first.
 */
export type ErasureOutcome = 'erased' | 'blocked';

/** Names of that owner's databases on this device. */
async function databasesOf(uid: string): Promise<string[]> {
  const pattern = new RegExp(`${databaseName(uid)}($|--)`);
  const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
  return names.filter((name) => pattern.test(name));
}

/** Whether anything of that owner is on this device. */
export async function hasDatabases(uid: string): Promise<boolean> {
  return (await databasesOf(uid)).length > 0;
}

export async function eraseDatabases(uid: string): Promise<ErasureOutcome> {
  const own = await databasesOf(uid);
  const outcomes = await Promise.all(own.map((each) => erase(each)));
  return outcomes.includes('blocked') ? 'blocked' : 'erased';
}

function erase(name: string): Promise<ErasureOutcome> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve('erased'));
    request.addEventListener('blocked', () => resolve('blocked'));
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('A database could not be erased')),
    );
  });
}
