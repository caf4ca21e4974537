import { openDatabase, type PawPalsDatabase } from '../../../store/rxdb/database.ts';
import type { RaiseStores } from '../../../store/indexeddb/stores.ts';

/** Creates or upgrades the stores. Its code loads only for a new database or a new version. */
const raise: RaiseStores = async (...stores) => {
  const { raiseStores } = await import('../../../store/indexeddb/raise-stores.ts');
  await raiseStores(...stores);
};

/**
 * Opens an owner's database on this device, and creates it if necessary.
 * @param onLost called when the browser closes it.
 */
export function openOwnerDatabase(uid: string, onLost?: () => void): Promise<PawPalsDatabase> {
  return openDatabase({ uid, raise, onLost });
}
