import { Dexie } from 'dexie';
import type { RxStorage } from 'rxdb/plugins/core';
import { openChanges } from '../../../store/rxdb/changes.ts';
import { openBroadcastChannel } from '../../../store/rxdb/message-channel.ts';
import { dexieSchemaOf, indexesOf } from '../../../store/indexeddb/indexes.ts';
import { createRxStorage, type Place } from '../../../store/rxdb/rx-storage.ts';

/** Creates the app's storage for any schema: each collection has its own IndexedDB database. */
export function createOwnStorage(): RxStorage<Place, object> {
  return createRxStorage(async ({ databaseName, collectionName, schema }) => {
    const name = `${databaseName}--${schema.version}--${collectionName}`;
    const database = new Dexie(name);
    database.version(1).stores({ rows: dexieSchemaOf(schema) });
    await database.open();
    const changes = openChanges(name, openBroadcastChannel);
    return {
      database: database.backendDB(),
      store: 'rows',
      indexes: indexesOf(schema),
      changes,
      close: () => {
        changes.close();
        database.close();
      },
    };
  });
}
