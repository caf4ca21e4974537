import { Dexie } from 'dexie';
import { fileStoreSchemas, type FileStores } from './file-stores.ts';
import { dexieSchemaOf } from './indexes.ts';
import { internalStore, schemasOf, type Layout } from './layout.ts';

const namePrefix = 'pawpals';

export function databaseName(uid: string): string {
  return `${namePrefix}-${uid.toLowerCase().replace(/[^a-z0-9]/g, '_')}-${checksum(uid)}`;
}

/** RxDB wants lower-case names; the checksum keeps two uids apart that differ only in what was replaced. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

/** Dexie's version 1 is IndexedDB's 10. */
const dexieFactor = 10;

/**
 * An owner's IndexedDB database, which opens with its first use.
 *
 * - Strict durability: a resolved write has reached the disk.
 * - Erased or raised by another tab, it stays closed: opened again by itself it would outlive the sign-out.
 */
function declareStores(name: string, layout: Layout): FileStores {
  const stores = new Dexie(name, { chromeTransactionDurability: 'strict' });
  const collections = Object.entries(schemasOf(layout));
  const declared = {
    ...fileStoreSchemas,
    ...Object.fromEntries(collections.map(([store, schema]) => [store, dexieSchemaOf(schema)])),
  };
  stores.version(1).stores(declared);
  for (const [index, upgrade] of layout.upgrades.entries()) {
    const version = stores.version(index + 2).stores(declared);
    version.upgrade(async (transaction) => {
      await transaction.table(internalStore).clear();
      await upgrade(transaction);
    });
  }
  stores.on('versionchange', () => {
    stores.close({ disableAutoOpen: true });
    // Dexie's own answer would let it open again.
    return false;
  });
  // Dexie adds a table for each store that was declared above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return stores as FileStores;
}

/**
 * Opens an owner's IndexedDB database, raised to the newest version.
 * @throws if a newer version of the app has raised it further.
 */
export async function openStores(name: string, layout: Layout): Promise<FileStores> {
  const stores = declareStores(name, layout);
  await stores.open();
  // Dexie opens what a newer version has made as if it were its own.
  if (stores.backendDB().version > dexieFactor * (layout.upgrades.length + 1)) {
    stores.close();
    throw new DOMException('A newer version of the app has raised this database', 'VersionError');
  }
  return stores;
}
