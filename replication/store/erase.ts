import { databaseName } from './database.ts';

/**
 * Erases an owner's databases from this device by name: RxDB's own removal leaves empty databases behind.
 * @returns once all are gone; a database that another tab holds open goes when that tab lets it go.
 */
export async function eraseDatabases(uid: string): Promise<void> {
  const pattern = new RegExp(`${databaseName(uid)}($|--)`);
  const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
  const own = names.filter((name) => pattern.test(name));
  await Promise.all(own.map((each) => erase(each)));
}

function erase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('blocked', () => resolve());
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('A database could not be erased')),
    );
  });
}
