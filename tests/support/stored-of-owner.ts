interface Evaluates {
  evaluate<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Returns the names of an owner's data on the device: databases, storage keys, and records of the sign-in. */
export function storedOfOwner(page: Evaluates): Promise<string[]> {
  return page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const names = [...databases, ...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    const signIns = await new Promise<IDBValidKey[]>((resolve, reject) => {
      const opening = indexedDB.open('firebaseLocalStorageDb');
      opening.addEventListener('error', () => reject(new Error('not opened')));
      opening.addEventListener('success', () => {
        const database = opening.result;
        const store = database
          .transaction('firebaseLocalStorage')
          .objectStore('firebaseLocalStorage');
        const keys = store.getAllKeys();
        keys.addEventListener('success', () => {
          database.close();
          resolve(keys.result);
        });
      });
    });
    // The keys that belong to the device and no owner: prompts that were shown, and counts of visits.
    const ofNobody = /^pawpals[:.](install|visit|protection-asked|reloaded)$/;
    const owned = names.filter((name) => /rxdb|pawpals/.test(name) && !ofNobody.test(name));
    return [...owned, ...signIns.map(String)];
  });
}
