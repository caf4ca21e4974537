import { openDatabase, type PawPalsDatabase } from '../../../store/rxdb/database.ts';
import type { RaiseStores } from '../../../store/indexeddb/stores.ts';
import { openChannel } from './between-tabs.ts';

/** The first time, or in a new version: its code comes only then. */
const raise: RaiseStores = async (...stores) => {
  const { raiseStores } = await import('../../../store/indexeddb/raise-stores.ts');
  await raiseStores(...stores);
};

/** An owner's database on this device, which is made if it is not there. */
export function openOwnerDatabase(uid: string): Promise<PawPalsDatabase> {
  return openDatabase({ uid, raise, openChannel });
}
