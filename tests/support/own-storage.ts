import { Dexie } from 'dexie';
import type { RxStorage } from 'rxdb/plugins/core';
import { openChanges } from '../../store/changes.ts';
import { openBroadcastChannel } from '../../store/message-channel.ts';
import { dexieSchemaOf, indexesOf } from '../../store/indexes.ts';
import { createRxStorage, type Place } from '../../store/rx-storage.ts';

/** The app's storage for any schema: each collection has an IndexedDB database to itself. */
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
      isMostlyNew: true,
      changes,
      close: () => {
        changes.close();
        database.close();
      },
    };
  });
}
