import { isPlacement, type PlaceFileJob } from './local-record.ts';
import { isAtRest, isParked, type OutboxJob } from './outbox-job.ts';

/** The maximum number of unsent or parked documents that the Sync sheet lists; the rest is only counted. */
export const listedMax = 50;

interface UnsentRow {
  readonly id: string;
  readonly deleted: boolean;
}

interface UnsentPet extends UnsentRow {
  readonly seq: number | null;
}

interface UnsentEntry extends UnsentRow {
  readonly petId: string;
}

/** The documents of one collection and sync state that their owner counts. */
export interface UnsentDocuments<Row extends UnsentRow = UnsentRow> {
  readonly count: number;
  /** The number of tombstones of documents that the server never had, as far as this device knows. */
  readonly hiddenCount: number;
  /** The counted documents, in the order of their ids; only the first ones if there are too many to read. */
  readonly rows: readonly Row[];
}

/** The unsent documents of one collection. */
export interface UnsentOfCollection<Row extends UnsentRow = UnsentRow> {
  readonly waiting: UnsentDocuments<Row>;
  readonly parked: UnsentDocuments<Row>;
}

/** Everything that is unsent, as it is stored. */
export interface UnsentParts {
  readonly pets: UnsentOfCollection<UnsentPet>;
  readonly entries: UnsentOfCollection<UnsentEntry>;
  /** The jobs of the files that the server does not have; null until they are read. */
  readonly files: readonly OutboxJob[] | null;
  readonly placements: ReadonlyMap<string, PlaceFileJob>;
}

export interface UnsentCounts {
  readonly waitingCount: number;
  /** The number of items that the server refused. */
  readonly parkedCount: number;
  /** The number of waiting items, as far as they are read, that the server takes only after a dog that it refused. */
  readonly heldBackCount: number;
  /** The number of recordings among the first two counts that are items of their own. */
  readonly recordingCount: number;
  /** The number of dogs among the first two counts, without those that are deleted. */
  readonly petCount: number;
  /** The number of tombstones among the first two counts, as far as they are read, without those whose file still waits. */
  readonly deletedCount: number;
  /** The number of restored or moved documents whose file is no job yet. */
  readonly placingCount: number;
  /**
   * The number of waiting tombstones that are not in {@link waitingCount}. The server may have their documents, if the
   * answer to a push was lost.
   */
  readonly hiddenCount: number;
}

/**
 * Whether a file is an item of its own, and not one with its entry. A parked file always is, since its owner decides on
 * it. @param entryIds the unsent entries.
 */
function isApart(entryIds: readonly (string | null)[], job: OutboxJob): boolean {
  return isParked(job) || !entryIds.includes(job.entryId);
}

/** Whether a file waits to be sent, as an item of its own. @param entryIds the unsent entries. */
export function waitsAlone(entryIds: readonly (string | null)[], job: OutboxJob): boolean {
  return !isAtRest(job) && isApart(entryIds, job);
}

/** Whether the server takes no entry of a parked dog, since it has never had the dog (D2.10). */
export function holdsEntriesBack({ seq }: { readonly seq: number | null }): boolean {
  return seq === null;
}

function isDeleted({ deleted }: UnsentRow): boolean {
  return deleted;
}

/**
 * Counts the unsent items: documents, files, and files of restored or moved documents. What an owner has made once
 * counts once: a voice note and its file are one item.
 */
export function countUnsent(parts: UnsentParts): UnsentCounts {
  const files = parts.files ?? [];
  const pets = [...parts.pets.waiting.rows, ...parts.pets.parked.rows];
  const entries = [...parts.entries.waiting.rows, ...parts.entries.parked.rows];
  const ids = entries.map(({ id }) => id);
  const placing = [...parts.placements.values()].filter(isPlacement);
  const deletedPets = pets.filter(isDeleted).length;
  const withFile = new Set([
    ...files.filter((job) => !isParked(job)).map(({ entryId }) => entryId),
    ...placing.map(({ documentId }) => documentId),
  ]);
  const deletedEntries = entries.filter((entry) => isDeleted(entry) && !withFile.has(entry.id));
  const alone = files.filter((job) => waitsAlone(ids, job));
  const parked = files.filter(isParked);
  const placed = placing.map(({ documentId }) => documentId).filter((id) => !ids.includes(id));
  const refusedPets = new Set(parts.pets.parked.rows.filter(holdsEntriesBack).map(({ id }) => id));
  // A file that is no item of its own is held back with its entry.
  const petIds = [...parts.entries.waiting.rows, ...alone].map(({ petId }) => petId);
  return {
    waitingCount:
      parts.pets.waiting.count + parts.entries.waiting.count + alone.length + placed.length,
    parkedCount: parts.pets.parked.count + parts.entries.parked.count + parked.length,
    heldBackCount: [...petIds, ...placed].filter((id) => refusedPets.has(id)).length,
    recordingCount: [...alone, ...parked].filter(({ entryId }) => entryId !== null).length,
    petCount: parts.pets.waiting.count + parts.pets.parked.count - deletedPets,
    deletedCount: deletedPets + deletedEntries.length,
    placingCount: placing.length,
    hiddenCount: parts.pets.waiting.hiddenCount + parts.entries.waiting.hiddenCount,
  };
}
