import 'fake-indexeddb/auto';
import { onTestFinished } from 'vitest';
import { openDatabase, type PawPalsDatabase } from '../../../store/rxdb/database.ts';
import { raiseStores } from '../../../store/indexeddb/raise-stores.ts';

/** Opens the real local database on an IndexedDB in memory, and closes it when the test ends. */
export async function openTestDatabase(
  uid: string = crypto.randomUUID(),
): Promise<PawPalsDatabase> {
  const database = await openDatabase({ uid, raise: raiseStores });
  onTestFinished(async () => {
    await database.close();
  });
  return database;
}
