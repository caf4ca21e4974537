import type { Entry, Pet } from '../../../schemas/documents/document.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import type { UnsentCounts } from '../../../schemas/local/unsent-items.ts';
import type { CalendarDate } from '../../lib/dates/calendar-date.ts';
import type { CalendarMonth } from '../../lib/dates/calendar-month.ts';
import type { Live } from '../../lib/async/live.ts';

/** A pet that is not deleted and has a name. */
export type NamedPet = Pet & { readonly fields: { readonly name: string } };

export interface KeptVersion extends ConflictVersion {
  readonly id: string;
}

/** Everything that the sync status and the Sync sheet show, read from this device alone. */
export interface SyncOverview extends UnsentCounts {
  /** The waiting and the parked documents. Each of these lists holds at most the first 50. */
  readonly waitingPets: readonly Pet[];
  readonly waitingEntries: readonly Entry[];
  readonly parkedPets: readonly Pet[];
  readonly parkedEntries: readonly Entry[];
  /** The files that the server does not have, oldest first; null until they are read, after the first view. */
  readonly files: readonly OutboxJob[] | null;
  /** The number of dogs whose deletion is in progress. */
  readonly leavingCount: number;
  readonly versions: readonly KeptVersion[];
  /** True after one complete pull: from then on, an empty list means that there is nothing. */
  readonly fetchedOnce: boolean;
  /** The progress of the first pull, from 0 to 1; null if none is in progress. */
  readonly fetchedPart: number | null;
  /** Epoch milliseconds of the last sync; null before the first. */
  readonly syncedAtMs: number | null;
}

/** The place of a note, as the parameters of its address. */
export interface NotePlace {
  readonly petId: string;
  readonly noteId: string;
}

/** The number of entries that a dog's journal holds on this device. */
export interface JournalSize {
  readonly notes: number;
  readonly voiceNotes: number;
}

/**
 * A range of a journal by {@link Entry.feedKey}: entries older than `after`, down to `until` inclusive; null is
 * unbounded.
 */
export interface FeedRange {
  readonly after: string | null;
  readonly until: string | null;
}

/** The entries of one day, by the calendar of this device. */
export interface EntryDay {
  readonly count: number;
  /** The feed key of the oldest entry. */
  readonly firstKey: string;
}

/** The days of one month that have entries. */
export interface EntryDays {
  readonly days: ReadonlyMap<CalendarDate, EntryDay>;
  /** The day of the oldest entry of the whole journal; null if there is none that has a date. */
  readonly journalStart: CalendarDate | null;
}

/** The only way to read the owner's documents. Each call makes a new {@link Live}; keep it while it is watched. */
export interface Queries {
  /** The pets sorted by name, ignoring case. */
  pets(): Live<readonly NamedPet[]>;
  /** The pet, or null if this device has no such pet, or it was deleted. */
  pet(petId: string): Live<Pet | null>;
  /** Whether this device knows that the pet was deleted, here or elsewhere. */
  isPetDeleted(petId: string): Live<boolean>;
  /** The entries of a range, newest first, at most `limit`. */
  feed(petId: string, range: FeedRange, limit: number): Live<readonly Entry[]>;
  /**
   * Steps towards the newest entry of a journal.
   * @returns the feed key of the entry that is `count` newer than `from`; null if there are not that many.
   */
  feedKeyBefore(petId: string, from: string, count: number): Promise<string | null>;
  /** The days of one journal and one month that have entries. Only the index is read, however large the journal is. */
  entryDays(petId: string, month: CalendarMonth): Live<EntryDays>;
  /** The entry, or null if this device has no such entry, or it was deleted. */
  entry(petId: string, entryId: string): Live<Entry | null>;
  /**
   * Finds where a deleted entry was restored or moved to; null if it was not. It may have been deleted there again, which
   * the next place tells.
   */
  nextPlace(entryId: string): Promise<NotePlace | null>;
  /** The versions of a document that a merge on this device did not choose. */
  otherVersions(documentId: string): Live<readonly KeptVersion[]>;
  /** The ids of all documents that have such versions. */
  idsWithOtherVersions(): Live<ReadonlySet<string>>;
  syncOverview(): Live<SyncOverview>;
  journalSize(petId: string): Promise<JournalSize>;
  /** True after one complete pull. */
  fetchedOnce(): Live<boolean>;
}
