import { createRxDatabase, type RxCollection, type RxDatabase } from 'rxdb/plugins/core';
import type { EntryRow, PetRow } from '../schemas/document.ts';
import type { LocalRecordRow } from '../schemas/local-record.ts';
import { openChanges, type Changes } from './changes.ts';
import type { FileStores } from './file-stores.ts';
import { indexesOf } from './indexes.ts';
import { currentLayout, schemasOf, type Layout } from './layout.ts';
import { openBroadcastChannel, type OpenChannel } from './message-channel.ts';
import { createRxStorage, placeOf, type FindPlace } from './rx-storage.ts';
import { databaseName, openStores } from './stores.ts';

/**
 * The owner's database on this device.
 *
 * - One IndexedDB database per owner, the uid in its name; each of RxDB's collections is an object store in it, and so are
 *   the files ({@link fileStoresOf}).
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
function placesIn(stores: FileStores, layout: Layout, changes: Changes): FindPlace {
  const database = stores.backendDB();
  const schemas = schemasOf(layout);
  let openCount = 0;
  return async ({ collectionName, schema: { version } }) => {
    const schema = schemas[collectionName];
    if (schema === undefined || version > 0) {
      throw new Error(`There is no store for ${collectionName} ${version}`);
    }
    openCount += 1;
    return {
      stores,
      database,
      store: collectionName,
      indexes: indexesOf(schema),
      isMostlyNew: documentStores.has(collectionName),
      changes,
      close: () => {
        openCount -= 1;
        if (openCount > 0) return;
        changes.close();
        stores.close();
      },
    };
  };
}

export interface OpenOptions {
  readonly uid: string;
  /** How other tabs are told of writes, where browsers have no `BroadcastChannel`. */
  readonly openChannel?: OpenChannel;
  /** For tests of a version to come. */
  readonly layout?: Layout;
}

export async function openDatabase(options: OpenOptions): Promise<PawPalsDatabase> {
  const { uid, layout = currentLayout, openChannel = openBroadcastChannel } = options;
  const name = databaseName(uid);
  const stores = await openStores(name, layout);
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

/** The files in an open database. They close with it. */
export function fileStoresOf({ local }: PawPalsDatabase): FileStores {
  const { stores } = placeOf(local);
  if (stores === undefined) throw new Error('There are no stores of files beside this collection');
  return stores;
}
