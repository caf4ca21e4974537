const scratch = 'pawpals-scratch';

/** Whether this page can create a database. Storage may be forbidden, and the device may be full. */
export function canStore(): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const opening = indexedDB.open(scratch);
      opening.addEventListener('error', () => resolve(false));
      opening.addEventListener('success', () => {
        opening.result.close();
        indexedDB.deleteDatabase(scratch);
        resolve(true);
      });
    } catch {
      resolve(false);
    }
  });
}
