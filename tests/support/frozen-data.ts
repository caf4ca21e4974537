import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import type { Head } from '../../replication/ports.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { createShareStore } from '../../replication/shares/share-store.ts';
import type { LocalDocument } from '../../schemas/document.ts';
import type { LocalRecord } from '../../schemas/local-record.ts';
import type { OutboxJob } from '../../schemas/outbox-job.ts';
import type { SharedItem } from '../../schemas/shared-item.ts';
import type { StoredRecording } from '../../schemas/voice-note.ts';
import { frozenNowMs, frozenUid, openFrozenDevice, type FrozenDevice } from './frozen-device.ts';
import { makeFrozenOwner } from './frozen-owner.ts';
import { dumpDatabases, removeDatabases, type DumpedDatabase } from './indexeddb-dump.ts';
import { createMemoryServer, type MemoryServer, type ServerDocument } from './memory-remote.ts';
import { md5Of } from './memory-remote-files.ts';

/** So that this device has a correction to remember. */
const serverAheadMs = 7_000;

type WithHash<Item> = Item & { readonly bytesMd5: string | null };

/** What an owner has on the device, as the app reads it: independent of how it is stored. */
export interface Facts {
  readonly documents: readonly LocalDocument[];
  readonly records: Readonly<Record<string, LocalRecord>>;
  readonly jobs: readonly WithHash<OutboxJob>[];
  /** Those that were cut off. */
  readonly recordings: readonly WithHash<StoredRecording>[];
}

/** What a release has stored of one owner, and what the server had of them then. */
export interface FrozenRelease {
  readonly facts: Facts;
  /** What other apps have shared, with the hashes of the files: nobody's yet. */
  readonly shares: readonly (Omit<SharedItem, 'files'> & { readonly files: readonly unknown[] })[];
  readonly server: { readonly documents: readonly ServerDocument[]; readonly head: Head };
  readonly databases: readonly DumpedDatabase[];
}

async function documentsOf(store: DocumentStore): Promise<LocalDocument[]> {
  const all = { afterId: '', limit: 1_000 };
  const stored = [await store.listAll('pets', all), await store.listAll('entries', all)];
  return stored.flat().map(({ document }) => document);
}

const recordKinds = [
  'checkpoint',
  'delete-pet',
  'device',
  'loser',
  'remove-file',
  'sweep-pet',
] as const satisfies readonly LocalRecord['kind'][];

async function recordsOf(store: DocumentStore): Promise<Record<string, LocalRecord>> {
  const records = await Promise.all(recordKinds.map((kind) => store.listRecords(kind)));
  return Object.fromEntries(records.flatMap((found) => [...found]));
}

async function jobsOf({ queue }: Outbox): Promise<Facts['jobs']> {
  const withBytes = async (job: OutboxJob) => {
    const bytes = await queue.readBytes(job);
    return { ...job, bytesMd5: bytes === null ? null : md5Of(bytes) };
  };
  return Promise.all((await queue.list()).map(withBytes));
}

/** As the next start does: a recording that was cut off becomes a file. */
async function finishRecordings({ recordings }: Outbox): Promise<Facts['recordings']> {
  const finish = async (recording: StoredRecording) => {
    const job = await recordings.finish(recording.id);
    return { ...recording, bytesMd5: job?.md5 ?? null };
  };
  return Promise.all((await recordings.list()).map(finish));
}

type OpenStores = Pick<FrozenDevice, 'store' | 'outbox'>;

/** Reads it all. What was cut off is made whole on the way. */
export async function factsOf({ store, outbox }: OpenStores): Promise<Facts> {
  return {
    documents: await documentsOf(store),
    records: await recordsOf(store),
    jobs: await jobsOf(outbox),
    recordings: await finishRecordings(outbox),
  };
}

export async function sharesHere(): Promise<FrozenRelease['shares']> {
  const shares = createShareStore(frozenUid, () => frozenNowMs);
  const items = await Promise.all((await shares.removeOld()).map((id) => shares.read(id)));
  return items
    .filter((item) => item !== null)
    .map(({ files, ...item }) => ({
      ...item,
      files: files.map(({ bytes, ...file }) => ({ ...file, bytesMd5: bytes && md5Of(bytes) })),
    }));
}

function emptyServer(): MemoryServer {
  return createMemoryServer({ now: () => frozenNowMs + serverAheadMs });
}

/** The server as it was when the release was frozen. */
export function frozenServer({ server: { documents, head } }: FrozenRelease): MemoryServer {
  const server = emptyServer();
  for (const document of documents) server.put(document);
  server.setHead(frozenUid, head);
  return server;
}

/** Makes an owner in every state with today's code, and freezes what is stored. */
export async function freeze(): Promise<FrozenRelease> {
  await removeDatabases();
  const device = await openFrozenDevice();
  try {
    const server = emptyServer();
    await makeFrozenOwner(device, server);
    const { documents, heads } = server.snapshot();
    const head = heads.get(frozenUid);
    if (head === undefined) throw new Error('The server has nothing of that owner');
    const databases = await dumpDatabases();
    const facts = await factsOf(device);
    const known = { documents: [...documents.values()], head };
    return { facts, shares: await sharesHere(), server: known, databases };
  } finally {
    await device.close();
  }
}

const folder = new URL('../fixtures/frozen/', import.meta.url);

/** The oldest first. */
export function frozenVersions(): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const inOrder = new Intl.Collator('en', { numeric: true });
  return names.map((name) => name.replace(/\.json$/, '')).toSorted(inOrder.compare);
}

export function readFrozen(version: string): FrozenRelease {
  const text = readFileSync(new URL(`${version}.json`, folder), 'utf8');
  // Only `writeFrozen` makes these files.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as FrozenRelease;
}

/** Fails if that version is frozen already: what was released does not change. */
export function writeFrozen(version: string, release: FrozenRelease): void {
  const text = `${JSON.stringify(release, null, 2)}\n`;
  writeFileSync(new URL(`${version}.json`, folder), text, { flag: 'wx' });
}
