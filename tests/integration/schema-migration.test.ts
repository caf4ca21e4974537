import 'fake-indexeddb/auto';
import type { Transaction } from 'dexie';
import { describe, expect, it } from 'vitest';
import { openDatabase, type PawPalsDatabase } from '../../store/rxdb/database.ts';
import { raiseStores } from '../../store/indexeddb/raise-stores.ts';
import { currentLayout, type Layout } from '../../store/indexeddb/layout.ts';
import { createRxDocumentStore } from '../../store/rxdb/rx-document-store.ts';
import { answerOf, writeTo } from '../../store/indexeddb/requests.ts';
import { databaseName, openStores } from '../../store/indexeddb/stores.ts';
import { factsOf, frozenServer, readFrozen } from '../support/fixtures/frozen-data.ts';
import { frozenUid, frozenOutbox, syncFrozen } from '../support/fixtures/frozen-device.ts';
import { dumpDatabases, restoreDatabases, type DumpedDatabase } from '../support/indexeddb-dump.ts';

/** The tests migrate the stored data of a release to a new version, before the first release that needs a migration. */
const release = readFrozen('0.1.0');
const { documents, records, jobs } = release.facts;
const rowCount = documents.length + Object.keys(records).length + jobs.length;

/** The part of a database's name that differs per owner. */
const ownName = /pawpals-[a-z0-9_]+-[a-z0-9]+/;

/**
 * Restores the databases under a new owner's name, because a killed process leaves connections to the old names open
 * here.
 */
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

type Row = Readonly<Record<string, unknown>>;

const raisedNames = ['pets', 'journal_entries', 'local'] as const;

function raised<Schema extends Layout['collections']['pets']>(schema: Schema): Schema {
  const properties = { ...schema.properties, addedLater: { type: 'string' } };
  return { ...schema, properties };
}

/** Returns a layout with one more field in each row. @param migrate returns the new row; it may throw. */
function nextLayout(migrate: (row: Row) => Row): Layout {
  const { pets, journal_entries: entries, local } = currentLayout.collections;
  const upgrade = async (transaction: Transaction): Promise<void> => {
    for (const name of raisedNames) {
      const table = transaction.table<Row>(name);
      for (const row of await table.toArray()) await table.put(migrate(row));
    }
  };
  const collections = {
    pets: raised(pets),
    journal_entries: raised(entries),
    local: raised(local),
  };
  return { collections, upgrades: [...currentLayout.upgrades, upgrade] };
}

const addField = (row: Row): Row => ({ ...row, addedLater: 'by the migration' });

function openRaised(uid: string, migrate = addField): Promise<PawPalsDatabase> {
  return openDatabase({ uid, raise: raiseStores, layout: nextLayout(migrate) });
}

/** The result if nothing is lost. */
const all = { facts: release.facts, migratedRows: rowCount, sync: 'none', unpushed: 0 };

/** Returns the migrated data, and the outcome of a sync with the frozen server. */
async function readRaised(uid: string): Promise<typeof all> {
  const database = await openRaised(uid);
  const outbox = frozenOutbox(database);
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
    await database.close();
  }
}

describe('a version with one more field', () => {
  it('keeps pending documents, their base and their rev', async () => {
    expect(await readRaised(await restoreAsNew(release.databases))).toEqual(all);
  });

  it('is migrated completely or not at all, whichever row fails', async () => {
    const uid = await restoreAsNew(release.databases);
    const before = await dumpDatabases(databaseName(uid));
    for (let failing = 0; failing < rowCount; failing += 1) {
      let row = 0;
      const migrate = (old: Row): Row => {
        row += 1;
        if (row > failing) throw new DOMException('full', 'QuotaExceededError');
        return addField(old);
      };
      await expect(openRaised(uid, migrate)).rejects.toThrow('full');
    }
    expect(await dumpDatabases(databaseName(uid))).toEqual(before);
    expect(await readRaised(uid)).toEqual(all);
  });

  it('is not opened by the previous version of the app', async () => {
    const uid = await restoreAsNew(release.databases);
    await (await openRaised(uid)).close();
    const opening = openDatabase({ uid, raise: raiseStores });
    await expect(opening).rejects.toMatchObject({ name: 'VersionError' });
    expect(await readRaised(uid)).toEqual(all);
  });
});

describe('a tab of the previous version', () => {
  it('can write nothing more, and its earlier writes are kept', async () => {
    const uid = await restoreAsNew(release.databases);
    const tab = await openStores(databaseName(uid), currentLayout, null);
    const pets = tab.transaction('pets').objectStore('pets');
    const [pet] = await answerOf<Row[]>(pets.getAll());
    const write = (id: string) =>
      writeTo(tab, 'pets', (transaction) =>
        answerOf(transaction.objectStore('pets').put({ ...pet, id })),
      );
    await write('before');
    const database = await openRaised(uid);
    await expect(write('after')).rejects.toMatchObject({ name: 'InvalidStateError' });
    const found = await database.pets.find().exec();
    expect(found.map(({ id }) => id)).toContain('before');
    expect(found.map(({ id }) => id)).not.toContain('after');
    await database.close();
  });
});
