import 'fake-indexeddb/auto';
import { openDatabase, type PawPalsDatabase } from '../../store/rxdb/database.ts';
import { raiseStores } from '../../store/indexeddb/raise-stores.ts';
import { createRxDocumentStore } from '../../store/rxdb/rx-document-store.ts';
import { describeDocumentStore } from './document-store.ts';

describeDocumentStore('RxDB on IndexedDB', async () => {
  const uid = crypto.randomUUID();
  let database: PawPalsDatabase = await openDatabase({ uid, raise: raiseStores });
  return {
    store: createRxDocumentStore(database),
    other: createRxDocumentStore(database),
    reopen: async () => {
      await database.close();
      database = await openDatabase({ uid, raise: raiseStores });
      return createRxDocumentStore(database);
    },
    dispose: async () => {
      await database.close();
    },
  };
});
