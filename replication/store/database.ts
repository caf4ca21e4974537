import {
  createRxDatabase,
  type RxCollection,
  type RxDatabase,
  type RxStorage,
} from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import type { EntryRow, PetRow } from '../../schemas/document.ts';
import type { LocalRecordRow } from '../../schemas/local-record.ts';
import {
  journalEntryRxSchema,
  localRecordRxSchema,
  petRxSchema,
} from '../../schemas/rxdb-schemas.ts';
import { ignoreClocksOfTabs } from './tab-messages.ts';

/**
 * The owner's database on this device.
 *
 * - One set of IndexedDB databases per owner, the uid in the name; RxDB makes one per collection.
 * - Opened alike by every tab and by the worker; each sees the writes of the others, whatever its clock shows.
 * - Strict durability: a resolved write has reached the disk, so "on this device" is true when it is said (D1).
 */
export interface Collections {
  readonly pets: RxCollection<PetRow>;
  readonly journal_entries: RxCollection<EntryRow>;
  readonly local: RxCollection<LocalRecordRow>;
}

export type PawPalsDatabase = RxDatabase<Collections>;

export interface OpenOptions {
  readonly uid: string;
  /** In place of IndexedDB through Dexie: for tests. */
  readonly storage?: RxStorage<unknown, unknown>;
}

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

export async function openDatabase(options: OpenOptions): Promise<PawPalsDatabase> {
  ignoreClocksOfTabs();
  const storage = options.storage ?? getRxStorageDexie({ chromeTransactionDurability: 'strict' });
  const database = await createRxDatabase<Collections>({
    name: databaseName(options.uid),
    storage,
    multiInstance: true,
    eventReduce: true,
  });
  try {
    await database.addCollections({
      pets: { schema: petRxSchema },
      journal_entries: { schema: journalEntryRxSchema },
      local: { schema: localRecordRxSchema },
    });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
