import 'fake-indexeddb/auto';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutboxWorker } from '../../replication/outbox/outbox-worker.ts';
import type { RemoteDocuments, RemoteWrite } from '../../replication/ports.ts';
import { createFakeClock } from '../support/fakes/fake-clock.ts';
import {
  factsOf,
  freeze,
  frozenServer,
  frozenVersions,
  readFrozen,
  sharesHere,
  writeFrozen,
  type FrozenRelease,
} from '../support/fixtures/frozen-data.ts';
import {
  frozenNowMs,
  frozenUid,
  openFrozenDevice,
  syncFrozen,
  type FrozenDevice,
} from '../support/fixtures/frozen-device.ts';
import {
  removeDatabases,
  restoreDatabases,
  type DumpedDatabase,
  type StoredStore,
} from '../support/indexeddb-dump.ts';
import { untroubled } from '../support/setups/test-outbox.ts';
import { createMemoryRemoteFiles, md5Of } from '../support/fakes/memory-remote-files.ts';

/** The version under which to freeze the data that the current code stores, if set. */
const versionToFreeze = process.env['PAWPALS_FREEZE'];
// This happens before the tests are collected, because each release has its own.
if (versionToFreeze !== undefined) writeFrozen(versionToFreeze, await freeze());

let device: FrozenDevice | null = null;

async function openRestored({ databases }: FrozenRelease): Promise<FrozenDevice> {
  await removeDatabases();
  await restoreDatabases(databases);
  device = await openFrozenDevice();
  return device;
}

afterEach(async () => {
  await device?.close();
  device = null;
  await removeDatabases();
});

/** Records the writes that a client commits, in order. */
function watchWrites(remote: RemoteDocuments, writes: RemoteWrite[]): RemoteDocuments {
  return {
    ...remote,
    transact: async (refs, decide) => {
      let planned: readonly RemoteWrite[] = [];
      const result = await remote.transact(refs, (view) => {
        const plan = decide(view);
        planned = plan.writes;
        return plan;
      });
      writes.push(...planned);
      return result;
    },
  };
}

function filesWorker({ store, outbox }: FrozenDevice) {
  const server = createMemoryRemoteFiles();
  const clock = createFakeClock(frozenNowMs);
  const worker = createOutboxWorker({
    outbox,
    store,
    files: server.connect(),
    clock,
    ...untroubled,
    correctedNow: () => frozenNowMs,
  });
  return { server, run: () => worker.runOnce(new AbortController().signal) };
}

function waitingIn({ facts }: FrozenRelease): string[] {
  return facts.documents.filter(({ pending }) => pending === 1).map(({ id }) => id);
}

describe.each(frozenVersions())('the stored data of release %s', (version) => {
  const release = readFrozen(version);

  it('has something in every state, so that the other tests see it', () => {
    const { documents, records, jobs, recordings } = release.facts;
    expect(new Set(documents.map(({ pending }) => pending))).toEqual(new Set([0, 1, 2]));
    const waiting = documents.filter(({ pending }) => pending === 1);
    expect(waiting.some(({ base }) => base === null)).toBe(true);
    expect(waiting.some(({ base }) => base !== null)).toBe(true);
    expect(waiting.some(({ deleted }) => deleted)).toBe(true);
    const kinds = Object.values(records).map(({ kind }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['checkpoint', 'delete-pet', 'device', 'conflict-version']),
    );
    expect(new Set(jobs.map(({ kind }) => kind)).size).toBe(2);
    expect(jobs.every(({ md5, bytesMd5 }) => md5 === bytesMd5)).toBe(true);
    expect(recordings).toHaveLength(1);
    expect(release.shares).toHaveLength(1);
  });

  it('is read by the current app without a loss', async () => {
    expect(await factsOf(await openRestored(release))).toMatchObject(release.facts);
    expect(await sharesHere()).toMatchObject(release.shares);
  });

  it('is pushed once, and parked documents stay parked', async () => {
    const opened = await openRestored(release);
    const writes: RemoteWrite[] = [];
    const server = frozenServer(release);
    const remote = watchWrites(server.connect(frozenUid), writes);
    expect(await syncFrozen(opened.store, remote)).toMatchObject({ kind: 'none' });

    // The pet of the interrupted deletion is deleted too, with its journal.
    const ids = writes.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(expect.arrayContaining(waitingIn(release)));
    const { documents } = await factsOf(opened);
    const parked = release.facts.documents.filter(({ pending }) => pending === 2);
    expect(documents.filter(({ pending }) => pending !== 0)).toMatchObject(parked);
    const onServer = server.snapshot().documents;
    const missing = documents.filter(({ id, collection, fields }) => {
      const remoteFields = onServer.get(`${collection}/${id}`)?.fields;
      return !isDeepStrictEqual(remoteFields, fields);
    });
    expect(missing).toMatchObject(parked);
    expect(await syncFrozen(opened.store, remote)).toMatchObject({ kind: 'none' });
    expect(writes).toHaveLength(ids.length);
  });

  it('sends each file once, with the bytes it had', async () => {
    const opened = await openRestored(release);
    const remote = frozenServer(release).connect(frozenUid);
    const files = filesWorker(opened);
    for (const _ of [1, 2, 3]) {
      await syncFrozen(opened.store, remote);
      await files.run();
    }
    const waiting = new Map(release.facts.jobs.map((job) => [job.objectName, job.bytesMd5]));
    const stored = [...files.server.stored()].map(
      ([name, { bytes }]) => [name, md5Of(bytes)] as const,
    );
    expect(new Map(stored)).toEqual(waiting);
    expect(files.server.uploads).toHaveLength(waiting.size);
    expect(await opened.outbox.queue.list()).toEqual([]);
  });
});

interface Structure {
  readonly databases: readonly {
    readonly name: string;
    readonly version: number;
    readonly stores: readonly StoredStore[];
  }[];
  readonly collections: readonly unknown[];
}

interface InternalRecord {
  readonly key: string;
  readonly context: string;
  readonly data: { readonly schemaHash: string; readonly version: number };
}

function isCollection(record: unknown): record is InternalRecord {
  return (
    typeof record === 'object' &&
    record !== null &&
    'context' in record &&
    record.context === 'collection'
  );
}

/** Returns the structure of the databases without their records. */
function structureOf(databases: readonly DumpedDatabase[]): Structure {
  const stores = databases.flatMap((database) => database.stores);
  const known = stores.flatMap(({ records }) => records.filter(isCollection));
  return {
    databases: databases.map((database) => ({
      ...database,
      stores: database.stores.map(({ records: _records, ...store }) => store),
    })),
    collections: known.map(({ key, data: { schemaHash, version } }) => ({
      key,
      schemaHash,
      version,
    })),
  };
}

const howToFreeze =
  'What the app stores has another structure than the newest release in tests/fixtures/frozen. Add an upgrade to ' +
  'store/indexeddb/layout.ts, and freeze the result as the next release: ' +
  'PAWPALS_FREEZE=<its version> npx vitest run --project system tests/integration/stored-data.test.ts';

it('the current app stores the same structure as the newest frozen release', async () => {
  const newest = readFrozen(frozenVersions().at(-1) ?? '');
  const today = await freeze();
  const structure = structureOf(today.databases);
  expect(structure.collections).toHaveLength(3);
  const frozen = structureOf(newest.databases);
  const advice = isDeepStrictEqual(structure, frozen) ? 'none' : howToFreeze;
  expect({ advice, ...structure }).toEqual({ advice: 'none', ...frozen });
});
