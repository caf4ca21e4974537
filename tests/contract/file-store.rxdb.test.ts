import 'fake-indexeddb/auto';
import { openDatabase } from '../../store/database.ts';
import { raiseStores } from '../../store/raise-stores.ts';
import { createRxDocumentStore } from '../../store/rx-document-store.ts';
import { createFileStore } from '../../store/rx-file-store.ts';
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
