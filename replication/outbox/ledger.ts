import type { LocalDocument } from '../../schemas/documents/document.ts';
import {
  checkpointId,
  filesHistoryId,
  type ConflictVersion,
  type PlaceFileJob,
  type RemoveFileJob,
} from '../../schemas/local/local-record.ts';
import type { OutboxJob } from '../../schemas/local/outbox-job.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import { documentsOf } from '../../store/document-store.ts';
import type { BytesInfo } from '../../store/file-store.ts';
import { successorsOf } from '../../store/successors.ts';
import type { FilesContext } from './files-context.ts';

/** Everything that file decisions depend on, as it is stored at one moment. */
export interface Ledger {
  /** Epoch milliseconds of this device's clock. */
  readonly nowMs: number;
  /** The same time, corrected by the server's clock. */
  readonly correctedMs: number;
  /** Whether a full pull has completed, so that a document that is not here does not exist. */
  readonly isFetched: boolean;
  /** The server epoch of the documents; null before the first pull. */
  readonly epoch: string | null;
  /** The epoch that the cached files were last compared with; null if they never were. */
  readonly comparedEpoch: string | null;
  /** Jobs of files to upload, oldest first. */
  readonly jobs: readonly OutboxJob[];
  /** Files to attach to a document, and files to remove from the server. */
  readonly placements: ReadonlyMap<string, PlaceFileJob>;
  readonly removals: ReadonlyMap<string, RemoveFileJob>;
  /** Conflict versions, which their owner may restore. */
  readonly versions: ReadonlyMap<string, ConflictVersion>;
  /** The bytes on this device. */
  readonly pictures: readonly BytesInfo[];
  readonly recordings: readonly BytesInfo[];
  /** The documents that the rows above belong to, as far as they are on this device, including tombstones. */
  readonly documents: Readonly<Record<SyncedCollection, ReadonlyMap<string, LocalDocument>>>;
  /** Pets whose deletion has begun. */
  readonly dyingPets: ReadonlySet<string>;
  /**
   * The live entries that replace a deleted or missing one since its deletion was undone, by the id of the old entry.
   */
  readonly successors: ReadonlyMap<string, LocalDocument>;
}

type Rows = Pick<
  Ledger,
  'jobs' | 'placements' | 'removals' | 'versions' | 'pictures' | 'recordings'
>;

type Ids = Readonly<Record<SyncedCollection, readonly string[]>>;

async function withDocuments(deps: FilesContext, rows: Rows, ids: Ids): Promise<Ledger> {
  const { store } = deps;
  const checkpoint = await store.readRecord(checkpointId);
  const history = await store.readRecord(filesHistoryId);
  const dying = await store.listRecords('delete-pet');
  const pets = await documentsOf(store, 'pets', ids.pets);
  const entries = await documentsOf(store, 'entries', ids.entries);
  const gone = [...new Set(ids.entries)].filter((id) => entries.get(id)?.deleted !== false);
  const isKnown = checkpoint?.kind === 'checkpoint';
  return {
    ...rows,
    nowMs: deps.clock.now(),
    correctedMs: deps.correctedNow(),
    isFetched: isKnown && checkpoint.complete,
    epoch: isKnown ? checkpoint.epoch : null,
    comparedEpoch: history?.kind === 'files-history' ? history.epoch : null,
    documents: { pets, entries },
    dyingPets: new Set([...dying.values()].map(({ petId }) => petId)),
    successors: await successorsOf(store, gone),
  };
}

/** The ids of the documents that the rows belong to. */
function idsIn({ jobs, placements, removals, versions, pictures, recordings }: Rows): Ids {
  const named = [...placements.values(), ...removals.values(), ...versions.values()];
  const namedIn = (wanted: SyncedCollection): string[] =>
    named.flatMap(({ collection, documentId }) => (collection === wanted ? documentId : []));
  return {
    pets: [
      ...jobs.map(({ petId }) => petId),
      ...[...placements.values()].map(({ sourceId }) => sourceId),
      ...pictures.map(({ documentId }) => documentId),
      ...namedIn('pets'),
    ],
    entries: [
      ...jobs.flatMap(({ entryId }) => entryId ?? []),
      ...recordings.map(({ documentId }) => documentId),
      ...namedIn('entries'),
    ],
  };
}

/** Reads only the part of the ledger that may still attach a file to a document. */
export async function readAttaching({
  store,
  outbox,
}: FilesContext): Promise<Pick<Ledger, 'jobs' | 'placements' | 'versions'>> {
  return {
    jobs: await outbox.queue.list(),
    placements: await store.listRecords('place-file'),
    versions: await store.listRecords('conflict-version'),
  };
}

async function readRows(deps: FilesContext): Promise<Rows> {
  const { store, outbox } = deps;
  return {
    ...(await readAttaching(deps)),
    removals: await store.listRecords('remove-file'),
    pictures: await outbox.caches.pictures(),
    recordings: await outbox.caches.recordings(),
  };
}

export async function readLedger(deps: FilesContext): Promise<Ledger> {
  const rows = await readRows(deps);
  return withDocuments(deps, rows, idsIn(rows));
}

/** Reads only the part of the ledger that decides this job. */
export async function readLedgerOf(deps: FilesContext, job: OutboxJob): Promise<Ledger> {
  const rows: Rows = {
    jobs: [job],
    placements: await deps.store.listRecords('place-file'),
    removals: new Map(),
    versions: await deps.store.listRecords('conflict-version'),
    pictures: [],
    recordings: [],
  };
  const entries = job.entryId === null ? [] : [job.entryId];
  return withDocuments(deps, rows, { pets: [job.petId], entries });
}
