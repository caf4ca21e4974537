import type { Transaction } from 'dexie';
import { INTERNAL_STORAGE_NAME, INTERNAL_STORE_SCHEMA } from 'rxdb/plugins/core';
import {
  journalEntryRxSchema,
  localRecordRxSchema,
  petRxSchema,
} from '../../schemas/local/rxdb-schemas.ts';
import type { IndexedSchema } from './indexes.ts';

/** RxDB's store of metadata about its collections, which it creates again if it is missing. */
export const internalStore = INTERNAL_STORAGE_NAME;

type RxSchema = typeof petRxSchema | typeof journalEntryRxSchema | typeof localRecordRxSchema;

/** RxDB's object stores of an owner's database, and the upgrades from its earlier versions. */
export interface Layout {
  /** RxDB's schemas, always of version 0: the stored data has one version, that of the IndexedDB database. */
  readonly collections: Readonly<Record<'pets' | 'journal_entries' | 'local', RxSchema>>;
  /**
   * One upgrade for each version after the first, which converts the rows of the version before. It runs in the
   * transaction that opens the database, so it is atomic, and only once no tab has the previous version open.
   */
  readonly upgrades: readonly ((transaction: Transaction) => PromiseLike<unknown>)[];
}

export const currentLayout: Layout = {
  collections: {
    pets: petRxSchema,
    journal_entries: journalEntryRxSchema,
    local: localRecordRxSchema,
  },
  upgrades: [],
};

/** The schemas of all object stores by their names. */
export function schemasOf({ collections }: Layout): Readonly<Record<string, IndexedSchema>> {
  return { ...collections, [internalStore]: INTERNAL_STORE_SCHEMA };
}
