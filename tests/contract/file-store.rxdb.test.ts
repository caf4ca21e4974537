import 'fake-indexeddb/auto';
import { openDatabase } from '../../store/rxdb/database.ts';
import { raiseStores } from '../../store/indexeddb/raise-stores.ts';
import { createRxDocumentStore } from '../../store/rxdb/rx-document-store.ts';
import { createFileStore } from '../../store/rxdb/rx-file-store.ts';
import { describeFileStore } from './file-store.ts';

describeFileStore('IndexedDB', async () => {
  const database = await openDatabase({ uid: crypto.randomUUID(), raise: raiseStores });
  return {
    store: createRxDocumentStore(database),
    files: createFileStore(database),
    dispose: async () => {
      await database.close();
    },
  };
});
