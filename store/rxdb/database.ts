import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb/plugins/core';
import type { EntryRow, PetRow } from '../../schemas/documents/document.ts';
import type { LocalRecordRow } from '../../schemas/local/local-record.ts';
import { openChanges, type Changes } from './changes.ts';
import { indexesOf } from '../indexeddb/indexes.ts';
import { currentLayout, schemasOf, type Layout } from '../indexeddb/layout.ts';
import { openBroadcastChannel, type OpenChannel } from './message-channel.ts';
import { createRxStorage, type FindPlace } from './rx-storage.ts';
import { databaseName, openStores, type RaiseStores } from '../indexeddb/stores.ts';

/**
 * The owner's database on this device.
 *
 * - One IndexedDB database per owner, the uid in its name; each of RxDB's collections is an object store in it, and so are
 *   the files (`file-stores.ts`).
 * - Opened alike by every tab and by the worker; each sees the writes of the others, whatever its clock shows.
 * - Strict durability: a resolved write has reached the disk, so "on this device" is true when it is said (D1).
 */
export interface Collections {
  readonly pets: RxCollection<PetRow>;
  readonly journal_entries: RxCollection<EntryRow>;
  readonly local: RxCollection<LocalRecordRow>;
}

export type PawPalsDatabase = RxDatabase<Collections>;

/** The others' rows are replaced more often than made. */
const documentStores: ReadonlySet<string> = new Set(['pets', 'journal_entries']);

/** Closes the stores when the last of the collections that were opened in them is closed. */
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
      isMostlyNew: documentStores.has(collectionName),
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
  /** null: it is opened only if it is there, in the newest version. */
  readonly raise: RaiseStores | null;
  /** How other tabs are told of writes, where browsers have no `BroadcastChannel`. */
  readonly openChannel?: OpenChannel;
  /** For tests of a version to come. */
  readonly layout?: Layout;
}

export async function openDatabase(options: OpenOptions): Promise<PawPalsDatabase> {
  const { uid, raise, layout = currentLayout, openChannel = openBroadcastChannel } = options;
  const name = databaseName(uid);
  const stores = await openStores(name, layout, raise);
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
