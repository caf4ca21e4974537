import type { RxCollection, RxDocument } from 'rxdb/plugins/core';
import type { Entry, Pet } from '../../../schemas/documents/document.ts';
import {
  checkpointId,
  deletePetJobId,
  recordsOf,
  type Checkpoint,
  type LocalRecordKind,
  type LocalRecordRow,
  type RecordOf,
} from '../../../schemas/local/local-record.ts';
import {
  countUnsent,
  listedMax,
  type UnsentOfCollection,
} from '../../../schemas/local/unsent-items.ts';
import { feedKeyBefore } from '../../../store/feed-edge.ts';
import type { Watchable } from '../../../store/file-store.ts';
import { liveRead, liveUnsentDocuments } from '../../../store/rxdb/live-read.ts';
import { compareNames } from '../../lib/text/compare-names.ts';
import { liveInside, type LazyService } from '../../lib/async/lazy-service.ts';
import type { Live } from '../../lib/async/live.ts';
import type { Collections } from '../../../store/rxdb/database.ts';
import type { Files } from '../files/files.ts';
import { combineLive, liveFrom, type OnReadError } from './live-query.ts';
import type {
  EntryDays,
  FeedRange,
  KeptVersion,
  NamedPet,
  Queries,
  SyncOverview,
} from './queries.ts';

export interface QueriesDeps {
  readonly collections: Collections;
  readonly onReadError: OnReadError;
  readonly files: LazyService<Pick<Files, 'jobs'>>;
}

/**
 * Caches rows by document. RxDB returns one document object per revision, so an unchanged row stays identical for
 * React.
 */
const rowsByDocument = new WeakMap<object, unknown>();

function toRow<Row>(document: RxDocument<Row>): Row {
  const known = rowsByDocument.get(document);
  // Only this function writes to the map, and a document has one type of row.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (known !== undefined) return known as Row;
  const row: Row = document.toMutableJSON();
  rowsByDocument.set(document, row);
  return row;
}

function toRows<Row>(documents: readonly RxDocument<Row>[]): readonly Row[] {
  return documents.map((document) => toRow(document));
}

function hasName(pet: Pet): pet is NamedPet {
  return typeof pet.fields.name === 'string' && pet.fields.name.trim() !== '';
}

type Records<Kind extends LocalRecordKind> = ReadonlyMap<string, RecordOf<Kind>>;

function toVersions(records: Records<'conflict-version'>): readonly KeptVersion[] {
  return [...records].map(([id, version]) => ({ ...version, id }));
}

/** Returns the progress of the first pull. It counts entries only, which are most of the documents and come last. */
function fetchedPart(checkpoint: Checkpoint | null): number | null {
  const until = checkpoint?.firstPullUntil;
  if (checkpoint === null || until === undefined || until === 0) return null;
  return Math.min(1, checkpoint.seq.entries / until);
}

function feedSelector(petId: string, { after, until }: FeedRange) {
  const upper = until === null ? {} : { $lte: until };
  return { petId, deleted: false, feedKey: { $gt: after ?? '', ...upper } };
}

/** Returns the documents that are listed. */
function listed<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.slice(0, listedMax);
}

/** Sorts by time: the rows are read in the order of their ids, which means nothing to an owner. */
function byTime(rows: readonly Entry[]): readonly Entry[] {
  return rows.toSorted((one, other) => (one.feedKey < other.feedKey ? -1 : 1));
}

export function createQueries({ collections, onReadError, files }: QueriesDeps): Queries {
  const { pets, journal_entries: entries, local } = collections;
  const live = <T, Value>(open: () => Watchable<T>, toValue: (read: T) => Value): Live<Value> =>
    liveFrom(open, toValue, onReadError);

  const records = <Kind extends LocalRecordKind, Value>(
    kind: Kind,
    toValue: (found: Records<Kind>) => Value,
  ) =>
    live(
      () => local.find({ selector: { kind } }).$,
      (rows: readonly RxDocument<LocalRecordRow>[]) => {
        const found = toRows(rows).map(({ id, data }) => [id, data] as const);
        return toValue(recordsOf(found, kind));
      },
    );
  const deletions = () => records('delete-pet', (found) => found);

  const unsent = <Row extends Pet | Entry>(collection: RxCollection<Row>) =>
    live(
      () => liveUnsentDocuments(collection),
      (read: UnsentOfCollection<Row>) => read,
    );

  const syncOverview = (): Live<SyncOverview> =>
    combineLive(
      {
        pets: unsent(pets),
        entries: unsent(entries),
        leaving: deletions(),
        versions: records('conflict-version', toVersions),
        placements: records('place-file', (found) => found),
        checkpoint: records('checkpoint', (found) => found.get(checkpointId) ?? null),
        files: liveInside(files, (opened) => opened.jobs()),
      },
      ({ leaving, versions, checkpoint, ...read }) => ({
        ...countUnsent(read),
        waitingPets: listed(read.pets.waiting.rows),
        waitingEntries: listed(byTime(read.entries.waiting.rows)),
        parkedPets: listed(read.pets.parked.rows),
        parkedEntries: listed(byTime(read.entries.parked.rows)),
        files: read.files,
        leavingCount: leaving.size,
        versions,
        fetchedOnce: checkpoint?.complete ?? false,
        fetchedPart: fetchedPart(checkpoint),
        syncedAtMs: checkpoint?.syncedAtMs ?? null,
      }),
    );

  /** The pets with their deletions: a pet whose deletion has begun is hidden, although its journal may still be here. */
  const petsAndDeletions = (selector: object) => ({
    rows: live(() => pets.find({ selector }).$, toRows<Pet>),
    leaving: deletions(),
  });

  return {
    pets: () =>
      combineLive(petsAndDeletions({ deleted: false }), ({ rows, leaving }) =>
        rows
          .filter(hasName)
          .filter(({ id }) => !leaving.has(deletePetJobId(id)))
          .toSorted((a, b) => compareNames(a.fields.name, b.fields.name)),
      ),
    pet: (petId) =>
      combineLive(petsAndDeletions({ id: petId, deleted: false }), ({ rows, leaving }) =>
        leaving.has(deletePetJobId(petId)) ? null : (rows[0] ?? null),
      ),
    isPetDeleted: (petId) =>
      combineLive(
        petsAndDeletions({ id: petId, deleted: true }),
        ({ rows, leaving }) => leaving.has(deletePetJobId(petId)) || rows.length > 0,
      ),
    feed: (petId, range, limit) =>
      live(
        () =>
          entries.find({
            selector: feedSelector(petId, range),
            sort: [{ petId: 'asc' }, { deleted: 'asc' }, { feedKey: 'asc' }],
            limit,
          }).$,
        toRows<Entry>,
      ),
    feedKeyBefore: (petId, from, count) => feedKeyBefore(entries, petId, { from, count }),
    entryDays: (petId, month) => {
      const read = async () =>
        (await import('./rx-entry-days.ts')).readEntryDays(entries, petId, month);
      return live(
        () => liveRead(entries, { stores: [entries.name], read }),
        (days: EntryDays) => days,
      );
    },
    entry: (petId, entryId) =>
      live(
        () => entries.find({ selector: { id: entryId, petId, deleted: false } }).$,
        (documents: readonly RxDocument<Entry>[]) => toRows(documents)[0] ?? null,
      ),
    otherVersions: (documentId) =>
      records('conflict-version', (found) =>
        toVersions(found).filter((version) => version.documentId === documentId),
      ),
    idsWithOtherVersions: () =>
      records(
        'conflict-version',
        (found) => new Set([...found.values()].map(({ documentId }) => documentId)),
      ),
    syncOverview,
    journalSize: async (petId) =>
      (await import('./rx-journals.ts')).readJournalSize(collections, petId),
    nextPlace: async (entryId) =>
      (await import('./rx-journals.ts')).readNextPlace(collections, entryId),
    fetchedOnce: () => records('checkpoint', (found) => found.get(checkpointId)?.complete ?? false),
  };
}
