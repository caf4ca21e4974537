import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import {
  addRxPlugin,
  createRxDatabase,
  type RxCollection,
  type RxJsonSchema,
} from 'rxdb/plugins/core';
import { RxDBMigrationSchemaPlugin } from 'rxdb/plugins/migration-schema';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { describe, expect, it, vi } from 'vitest';
import {
  databaseName,
  type Collections,
  type PawPalsDatabase,
} from '../../replication/store/database.ts';
import { createRxDocumentStore } from '../../replication/store/rx-document-store.ts';
import type { EntryRow, PetRow } from '../../schemas/document.ts';
import type { LocalRecordRow } from '../../schemas/local-record.ts';
import {
  journalEntryRxSchema,
  localRecordRxSchema,
  petRxSchema,
} from '../../schemas/rxdb-schemas.ts';
import { factsOf, frozenServer, readFrozen } from '../support/frozen-data.ts';
import { frozenUid, openFrozenOutbox, syncFrozen } from '../support/frozen-device.ts';
import { dumpDatabases, restoreDatabases, type DumpedDatabase } from '../support/indexeddb-dump.ts';

/**
 * How a schema is to be raised, tried before the first release that needs it: RxDB's plugin, on the data of a release,
 * with what its documentation leaves out.
 *
 * - Tabs of the version before are shut out first: what they write after the copying is not copied.
 * - What the plugin remembers of a run before is removed first. It goes on after a row that failed, and notes that it has
 *   come so far: tried again it would pass over that row, call itself done, and empty what it has copied from.
 * - `startMigration`, never `migratePromise`: after one failure that one finds the old answer, and fails for ever.
 */
addRxPlugin(RxDBMigrationSchemaPlugin);

const release = readFrozen('0.1.0');
const rowCount = release.facts.documents.length + Object.keys(release.facts.records).length;

const entryCount = release.facts.documents.filter(
  ({ collection }) => collection === 'entries',
).length;

/** Of the databases of whichever owner. */
const ownName = /pawpals-[a-z0-9_]+-[a-z0-9]+/;

/** A process that was killed leaves its connections open here: what it left goes on under other names. */
async function restoreAsNew(databases: readonly DumpedDatabase[]): Promise<string> {
  const uid = crypto.randomUUID();
  const own = databases.filter(({ name }) => ownName.test(name));
  const named = ({ name, ...database }: DumpedDatabase): DumpedDatabase => ({
    ...database,
    name: name.replace(ownName, databaseName(uid)),
  });
  await restoreDatabases(own.map(named));
  return uid;
}

function oldName(uid: string, collection: string): string {
  return `rxdb-dexie-${databaseName(uid)}--0--${collection}`;
}

type Row = Readonly<Record<string, unknown>>;
type Migrate = (row: Row) => Row | Promise<Row>;
type AnySchema = typeof petRxSchema | typeof journalEntryRxSchema | typeof localRecordRxSchema;

function raised<Stored>(schema: AnySchema): RxJsonSchema<Stored> {
  const properties = { ...schema.properties, addedLater: { type: 'string' } };
  // The schema that it was, and one more field.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...schema, version: 1, properties } as unknown as RxJsonSchema<Stored>;
}

const addField: Migrate = (row) => ({ ...row, addedLater: 'by the migration' });

/** Closes them in tabs of the version before, whose writes are refused from then on. */
async function shutOutOlderTabs(uid: string): Promise<void> {
  for (const name of ['pets', 'journal_entries', 'local'].map((each) => oldName(uid, each))) {
    const database = new Dexie(name);
    await database.open();
    const raisedVersion = database.verno * 10 + 1;
    database.close();
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open(name, raisedVersion);
      opening.addEventListener('error', () => reject(opening.error ?? new Error('not opened')));
      opening.addEventListener('success', () => {
        opening.result.close();
        resolve();
      });
    });
  }
}

/** Rows that are copied already stay as they are; all others are copied. */
async function forgetProgress(uid: string): Promise<void> {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  const progress = `rxdb-dexie-${databaseName(uid)}--0--rx-migration-state-meta-`;
  for (const name of names) if (name.startsWith(progress)) await Dexie.delete(name);
}

interface RaiseOptions {
  readonly uid: string;
  readonly migrate?: Migrate;
  /** As tabs are, which agree on the one that migrates; that takes a second for each collection. */
  readonly multiInstance?: boolean;
  /** Goes on where the plugin thinks that it was. */
  readonly keepsProgress?: boolean;
}

async function migrateRows(collection: RxCollection): Promise<void> {
  // Row by row, so that it can be stopped between any two.
  await collection.getMigrationState().startMigration(1);
  if (await collection.migrationNeeded()) throw new Error(`Not migrated: ${collection.name}`);
}

/** Opens what is stored with the schemas of a release to come. Fails if the migration does. */
async function openRaised(options: RaiseOptions): Promise<PawPalsDatabase> {
  const { uid, migrate = addField, multiInstance = false } = options;
  if (options.keepsProgress !== true) await forgetProgress(uid);
  const database = await createRxDatabase<Collections>({
    name: databaseName(uid),
    storage: getRxStorageDexie({ chromeTransactionDurability: 'strict' }),
    multiInstance,
    eventReduce: true,
  });
  const migration = { migrationStrategies: { 1: migrate }, autoMigrate: false };
  try {
    await database.addCollections({
      pets: { schema: raised<PetRow>(petRxSchema), ...migration },
      journal_entries: { schema: raised<EntryRow>(journalEntryRxSchema), ...migration },
      local: { schema: raised<LocalRecordRow>(localRecordRxSchema), ...migration },
    });
    for (const name of ['pets', 'journal_entries', 'local'] as const) {
      await migrateRows(database[name]);
    }
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Nothing is lost. */
const all = { facts: release.facts, migratedRows: rowCount, sync: 'none', unpushed: 0 };

/** What is there afterwards, and how a sync with the server of then ends. */
async function readRaised(options: RaiseOptions): Promise<typeof all> {
  const database = await openRaised(options);
  const outbox = openFrozenOutbox(options.uid);
  try {
    const store = createRxDocumentStore(database);
    const facts = await factsOf({ store, outbox });
    const rows = await Promise.all([
      database.pets.find().exec(),
      database.journal_entries.find().exec(),
      database.local.find().exec(),
    ]);
    const migrated = rows.flat().filter((row) => row.get('addedLater') === 'by the migration');
    const outcome = await syncFrozen(store, frozenServer(release).connect(frozenUid));
    const waiting = await Promise.all([
      store.listPending('pets', 1, { afterId: '', limit: 1 }),
      store.listPending('entries', 1, { afterId: '', limit: 1 }),
    ]);
    const unpushed = waiting.flat().length;
    return { facts, migratedRows: migrated.length, sync: outcome.kind, unpushed };
  } finally {
    outbox.close();
    await database.close();
  }
}

const patience = { timeout: 60_000 };

describe('a schema with one more field', patience, () => {
  it('keeps what waits, its base and its rev', async () => {
    const uid = await restoreAsNew(release.databases);
    expect(await readRaised({ uid, multiInstance: true })).toEqual(all);
  });

  it('keeps them too, after whichever row the process ends', async () => {
    const uid = await restoreAsNew(release.databases);
    const left: DumpedDatabase[][] = [];
    const migrate: Migrate = async (row) => {
      left.push(await dumpDatabases(databaseName(uid)));
      return addField(row);
    };
    await (await openRaised({ uid, migrate })).close();
    expect(left).toHaveLength(rowCount);
    for (const databases of left) {
      expect(await readRaised({ uid: await restoreAsNew(databases) })).toEqual(all);
    }
  });

  async function failAtFifthRow(): Promise<string> {
    const uid = await restoreAsNew(release.databases);
    let rows = 0;
    const migrate: Migrate = (row) => {
      rows += 1;
      if (rows === 5) throw new DOMException('full', 'QuotaExceededError');
      return addField(row);
    };
    await expect(openRaised({ uid, migrate })).rejects.toThrow('Not migrated');
    return uid;
  }

  it('keeps them if the device refuses to store a row, and is tried again', async () => {
    expect(await readRaised({ uid: await failAtFifthRow() })).toEqual(all);
  });

  it('would lose that row if the plugin went on: the reason to have it forget', async () => {
    const database = await openRaised({ uid: await failAtFifthRow(), keepsProgress: true });
    expect(await database.journal_entries.count().exec()).toBe(entryCount - 1);
    await database.close();
  });

  it('keeps them if the last thing, emptying what was copied, is cut off', async () => {
    const uid = await restoreAsNew(release.databases);
    const clearing = vi.spyOn(IDBObjectStore.prototype, 'clear').mockImplementation(() => {
      throw new DOMException('gone', 'AbortError');
    });
    await expect(openRaised({ uid })).rejects.toThrow('Not migrated');
    clearing.mockRestore();
    const left = await dumpDatabases(databaseName(uid));
    expect(await readRaised({ uid: await restoreAsNew(left) })).toEqual(all);
  });
});

describe('a tab of the version before', patience, () => {
  const lateId = 'late0000000000000000';

  async function openOldTab(uid: string) {
    const tab = new Dexie(oldName(uid, 'journal_entries'), { autoOpen: false });
    await tab.open();
    const [row] = await tab.table<{ id: string }>('docs').toArray();
    return { tab, write: () => tab.table('docs').put({ ...row, id: lateId }) };
  }

  async function hasLateNote(uid: string): Promise<boolean> {
    const database = await openRaised({ uid });
    const late = await database.journal_entries.findOne(lateId).exec();
    await database.close();
    return late !== null;
  }

  it('can write what is never copied: the reason to shut it out', async () => {
    const uid = await restoreAsNew(release.databases);
    const { tab, write } = await openOldTab(uid);
    await (await openRaised({ uid })).close();
    await write();
    expect(await hasLateNote(uid)).toBe(false);
    tab.close();
  });

  it('writes nothing any more once it is shut out, and what it wrote before is copied', async () => {
    const uid = await restoreAsNew(release.databases);
    const { write } = await openOldTab(uid);
    await write();
    await shutOutOlderTabs(uid);
    await expect(write()).rejects.toThrow('closed');
    expect(await hasLateNote(uid)).toBe(true);
  });
});
