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

/** Clears the stored sign-in, as a browser or a revocation by the server does. */
export function clearSignIn(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('firebaseLocalStorageDb');
        const fail = () => reject(new Error('The stored sign-in cannot be cleared'));
        opening.addEventListener('error', fail);
        opening.addEventListener('blocked', fail);
        opening.addEventListener('success', () => {
          const changing = opening.result.transaction('firebaseLocalStorage', 'readwrite');
          changing.objectStore('firebaseLocalStorage').clear();
          changing.addEventListener('complete', () => resolve());
          changing.addEventListener('abort', fail);
        });
      }),
  );
}
