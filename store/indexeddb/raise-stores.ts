import { Dexie } from 'dexie';
import { fileStoreSchemas } from '../file-stores.ts';
import { dexieSchemaOf } from './indexes.ts';
import { internalStore, schemasOf, type Layout } from './layout.ts';
import type { RaiseStores } from './stores.ts';

/** Declares the versions. Dexie numbers them from 1, and IndexedDB's versions are ten times as high. */
function declareVersions(database: Dexie, layout: Layout): void {
  const collections = Object.entries(schemasOf(layout));
  const declared = {
    ...fileStoreSchemas,
    ...Object.fromEntries(collections.map(([store, schema]) => [store, dexieSchemaOf(schema)])),
  };
  database.version(1).stores(declared);
  for (const [index, upgrade] of layout.upgrades.entries()) {
    const version = database.version(index + 2).stores(declared);
    version.upgrade(async (transaction) => {
      await transaction.table(internalStore).clear();
      await upgrade(transaction);
    });
  }
}

export const raiseStores: RaiseStores = async (name, layout) => {
  const database = new Dexie(name, { chromeTransactionDurability: 'strict' });
  declareVersions(database, layout);
  try {
    await database.open();
  } finally {
    database.close({ disableAutoOpen: true });
  }
};
