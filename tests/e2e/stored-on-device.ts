import type { Page } from 'playwright/test';

/** Returns all data that the origin has stored on the device as one text: databases, storages, cookies and caches. */
export function storedOnDevice(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const answerOf = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('not read')));
      });

    const databaseText = async (name: string): Promise<string> => {
      const database = await answerOf(indexedDB.open(name));
      const texts: string[] = [name];
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName).objectStore(storeName);
        const [keys, values] = await Promise.all([
          answerOf(store.getAllKeys()),
          answerOf<unknown[]>(store.getAll()),
        ]);
        texts.push(JSON.stringify({ storeName, keys, values }));
      }
      database.close();
      return texts.join('\n');
    };

    const cacheText = async (name: string): Promise<string> => {
      const requests = await (await caches.open(name)).keys();
      return [name, ...requests.map(({ url }) => url)].join('\n');
    };

    const databases = (await indexedDB.databases()).map(({ name = '' }) => name);
    return [
      ...(await Promise.all(databases.map(databaseText))),
      ...(await Promise.all((await caches.keys()).map(cacheText))),
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      document.cookie,
    ].join('\n');
  });
}

/** Returns the names of an owner's data on the device: databases, storage keys, and records of the sign-in. */
export function storedOfOwner(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const names = [...databases, ...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    const signIns = await new Promise<IDBValidKey[]>((resolve, reject) => {
      const opening = indexedDB.open('firebaseLocalStorageDb');
      opening.addEventListener('error', () => reject(new Error('not opened')));
      opening.addEventListener('success', () => {
        const store = opening.result
          .transaction('firebaseLocalStorage')
          .objectStore('firebaseLocalStorage');
        const keys = store.getAllKeys();
        keys.addEventListener('success', () => resolve(keys.result));
      });
    });
    // The keys that belong to the device and no owner: prompts that were shown, and counts of visits.
    const ofNobody = /^pawpals[:.](install|visit|protection-asked|reloaded)$/;
    const owned = names.filter((name) => /rxdb|pawpals/.test(name) && !ofNobody.test(name));
    return [...owned, ...signIns.map(String)];
  });
}
