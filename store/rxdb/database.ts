import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb/plugins/core';
import type { Entry, Pet } from '../../schemas/documents/document.ts';
import type { LocalRecordRow } from '../../schemas/local/local-record.ts';
import { openChanges, type Changes } from './changes.ts';
import { indexesOf } from '../indexeddb/indexes.ts';
import { currentLayout, schemasOf, type Layout } from '../indexeddb/layout.ts';
import { openBroadcastChannel, type OpenChannel } from './message-channel.ts';
import { createRxStorage, type FindPlace } from './rx-storage.ts';
import { databaseName, openStores, type RaiseStores } from '../indexeddb/stores.ts';

export interface Collections {
  readonly pets: RxCollection<Pet>;
  readonly journal_entries: RxCollection<Entry>;
  readonly local: RxCollection<LocalRecordRow>;
}

export type PawPalsDatabase = RxDatabase<Collections>;

/** Closes the database when its last open collection is closed. */
function placesIn(database: IDBDatabase, layout: Layout, changes: Changes): FindPlace {
  const schemas = schemasOf(layout);
  let openCount = 0;
  return async ({ collectionName, schema: { version } }) => {
    const schema = schemas[collectionName];
    if (schema === undefined || version > 0) {
      throw new Error(`There is no store for ${collectionName} ${version}`);
    }
    openCount += 1;
    return {
      database,
      store: collectionName,
      indexes: indexesOf(schema),
      changes,
      close: () => {
        openCount -= 1;
        if (openCount > 0) return;
        changes.close();
        database.close();
      },
    };
  };
}

export interface OpenOptions {
  readonly uid: string;
  /** null opens it only if it exists in the newest version. */
  readonly raise: RaiseStores | null;
  /** The channel that notifies other tabs, for browsers without `BroadcastChannel`. */
  readonly openChannel?: OpenChannel;
  /** Called when the browser closes it, for example because it clears the data of the page. */
  readonly onLost?: (() => void) | undefined;
  /** Replaces the layout in tests of a future version. */
  readonly layout?: Layout;
}

/**
 * Opens the owner's database on this device.
 *
 * - There is one IndexedDB database per owner, with the uid in its name; each RxDB collection is an object store in it,
 *   and so are the files (`file-stores.ts`).
 * - Every tab and the worker open it in the same way; each sees the writes of the others, whatever its clock shows.
 * - Strict durability: a resolved write has reached the disk, so "on this device" is true when it is shown (D1).
 */
export async function openDatabase(options: OpenOptions): Promise<PawPalsDatabase> {
  const { uid, raise, onLost, layout = currentLayout } = options;
  const { openChannel = openBroadcastChannel } = options;
  const name = databaseName(uid);
  const stores = await openStores(name, layout, raise);
  if (onLost !== undefined) stores.addEventListener('close', onLost);
  const changes = openChanges(name, openChannel);
  const database = await createRxDatabase<Collections>({
    name,
    storage: createRxStorage(placesIn(stores, layout, changes)),
    multiInstance: true,
    eventReduce: true,
  }).catch((error: unknown) => {
    changes.close();
    stores.close();
    throw error;
  });
  const { pets, journal_entries: entries, local } = layout.collections;
  try {
    await database.addCollections({
      pets: { schema: pets },
      journal_entries: { schema: entries },
      local: { schema: local },
    });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
