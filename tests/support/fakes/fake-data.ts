import { onTestFinished } from 'vitest';
import {
  contentFieldNames,
  type Entry,
  type EntryFields,
  type Pet,
  type PetFields,
} from '../../../schemas/documents/document.ts';
import { feedKey } from '../../../schemas/documents/feed-key.ts';
import type { Data, ServerAnswers } from '../../../src/data/data-context.ts';
import type { Commands } from '../../../src/data/commands/commands.ts';
import type {
  EntryDay,
  EntryDays,
  FeedRange,
  JournalSize,
  NamedPet,
  SyncOverview,
} from '../../../src/data/queries/queries.ts';
import type { FinishedExport, Transfers } from '../../../src/data/transfer/transfers.ts';
import { localDate } from '../../../src/lib/dates/calendar-date.ts';
import type { Live } from '../../../src/lib/async/live.ts';
import { cell, type Cell } from './cell.ts';
import { fakeFiles, type FakeFileCommands, type FakeFiles } from './fake-files.ts';

/** Returns a query over a cell, whose value is the same object until the cell changes. */
function derived<T, Value>(source: Cell<T>, toValue: (source: T) => Value): Live<Value> {
  let seen: { readonly from: T; readonly value: Value } | null = null;
  return {
    subscribe: source.subscribe,
    getSnapshot: () => {
      const from = source.getSnapshot();
      if (seen?.from !== from) seen = { from, value: toValue(from) };
      return seen.value;
    },
  };
}

const cleanSync = { edits: {}, deleted: false, pending: 0, seq: 1, base: null, rev: 1, code: null };

/** A part of a document, with its fields beside its other properties. */
export type PetPart = Partial<Omit<Pet, 'fields'> & PetFields>;
export type EntryPart = Partial<Omit<Entry, 'fields'> & EntryFields>;

/** Separates the fields from the other properties. */
function split(part: object, names: readonly string[]) {
  const isField = ([name]: [string, unknown]): boolean => names.includes(name);
  const all = Object.entries(part);
  return {
    fields: Object.fromEntries(all.filter(isField)),
    rest: Object.fromEntries(all.filter((one) => !isField(one))),
  };
}

export function petRow(id: string, name: string, part: PetPart = {}): NamedPet {
  const { fields, rest } = split(part, contentFieldNames.pets);
  const identity = { id, ownerId: 'owner', petId: null } as const;
  return { ...cleanSync, pending: 0, ...identity, ...rest, fields: { ...fields, name } };
}

export function entryRow(id: string, createdDate: number, part: EntryPart = {}): Entry {
  const { fields, rest } = split(part, contentFieldNames.entries);
  const identity = { id, ownerId: 'owner', petId: 'pet' } as const;
  return {
    ...cleanSync,
    pending: 0,
    feedKey: feedKey(createdDate, id),
    ...identity,
    ...rest,
    fields: { type: 'note', text: id, createdDate, ...fields },
  };
}

export const nothingUnsent: SyncOverview = {
  waitingPets: [],
  waitingEntries: [],
  waitingCount: 0,
  parkedPets: [],
  parkedEntries: [],
  parkedCount: 0,
  heldBackCount: 0,
  recordingCount: 0,
  petCount: 0,
  deletedCount: 0,
  placingCount: 0,
  hiddenCount: 0,
  leavingCount: 0,
  files: [],
  versions: [],
  fetchedOnce: true,
  fetchedPart: null,
  syncedAtMs: null,
};

export interface FakeData extends Data {
  /** The results of an export and an import; both fail unless a test sets them. */
  readonly transfersCell: Cell<Partial<Transfers>>;
  readonly pets: Cell<readonly NamedPet[]>;
  readonly deletedPetIds: Cell<readonly string[]>;
  readonly entries: Cell<readonly Entry[]>;
  readonly overview: Cell<SyncOverview>;
  readonly fetchedOnce: Cell<boolean>;
  readonly files: FakeFiles;
}

function inRange({ feedKey: key }: Entry, { after, until }: FeedRange): boolean {
  return (after === null || key > after) && (until === null || key <= until);
}

function newestFirst(a: Entry, b: Entry): number {
  return a.feedKey < b.feedKey ? -1 : 1;
}

function daysOf(rows: readonly Entry[], month: string): EntryDays {
  const byDate = new Map<string, EntryDay>();
  for (const row of rows.toSorted(newestFirst)) {
    const date = localDate(row.fields.createdDate ?? 0);
    const count = (byDate.get(date)?.count ?? 0) + 1;
    byDate.set(date, { count, firstKey: row.feedKey });
  }
  const days = [...byDate].filter(([date]) => date.startsWith(month));
  return { days: new Map(days), journalStart: [...byDate.keys()].at(-1) ?? null };
}

function sizeOf(rows: readonly Entry[]): JournalSize {
  const voiceNotes = rows.filter(({ fields }) => fields.type === 'voice-note').length;
  return { notes: rows.length - voiceNotes, voiceNotes };
}

function unexpected(): Promise<never> {
  return Promise.reject(new Error('this command was not expected'));
}

const noCommands: Commands = {
  createPet: unexpected,
  updatePet: unexpected,
  deletePet: unexpected,
  addNote: unexpected,
  addVoiceNote: unexpected,
  editText: unexpected,
  awaitTranscript: unexpected,
  deleteEntry: unexpected,
  restoreEntry: unexpected,
  retry: unexpected,
  retryAll: unexpected,
  discard: unexpected,
  moveEntry: unexpected,
  restoreConflictVersion: unexpected,
  discardConflictVersion: unexpected,
};

/** Opens the real client on first use, because it watches the page's connection, and closes it when the test ends. */
function realAnswers(): Data['answers'] {
  let opened: Promise<ServerAnswers> | null = null;
  const open = async (): Promise<ServerAnswers> => {
    const [{ openAnswers }, { connection }] = await Promise.all([
      import('../../../src/app/services/open-query-client.ts'),
      import('../../../src/platform/connection.ts'),
    ]);
    const answers = openAnswers(connection);
    onTestFinished(() => answers.close());
    return answers;
  };
  return () => (opened ??= open());
}

/** Creates an owner's data in memory. Commands that are not given fail. */
export function fakeData(
  commands: Partial<Commands> = {},
  fileCommands: FakeFileCommands = {},
): FakeData {
  const pets = cell<readonly NamedPet[]>([]);
  const deletedPetIds = cell<readonly string[]>([]);
  const entries = cell<readonly Entry[]>([]);
  const overview = cell(nothingUnsent);
  const fetchedOnce = cell(true);
  const files = fakeFiles(fileCommands);
  const transfersCell = cell<Partial<Transfers>>({});
  const entriesOf = (petId: string) =>
    entries.getSnapshot().filter((entry) => entry.petId === petId);
  return {
    uid: 'owner',
    visit: {},
    correctedNow: () => Date.now(),
    pets,
    deletedPetIds,
    entries,
    overview,
    fetchedOnce,
    transfersCell,
    transfers: async () => ({
      exportZip: unexpected,
      openImport: unexpected,
      ...transfersCell.getSnapshot(),
    }),
    search: unexpected,
    answers: realAnswers(),
    organizations: () => Promise.resolve([]),
    files,
    newestFiles: files.load,
    commands: async () => ({ ...noCommands, ...commands }),
    queries: {
      pets: () => pets,
      pet: (id) => derived(pets, (rows) => rows.find((row) => row.id === id) ?? null),
      isPetDeleted: (id) => derived(deletedPetIds, (ids) => ids.includes(id)),
      feed: (petId, range, limit) =>
        derived(entries, (rows) =>
          rows
            .filter((row) => row.petId === petId && inRange(row, range))
            .toSorted(newestFirst)
            .slice(0, limit),
        ),
      feedKeyBefore: async (petId, from, count) => {
        const newer = entriesOf(petId)
          .toSorted(newestFirst)
          .filter((row) => row.feedKey < from);
        return newer.at(-count)?.feedKey ?? null;
      },
      entryDays: (petId, month) =>
        derived(entries, (rows) =>
          daysOf(
            rows.filter((row) => row.petId === petId),
            month,
          ),
        ),
      entry: (_petId, id) => derived(entries, (rows) => rows.find((row) => row.id === id) ?? null),
      nextPlace: async (id) => {
        const noteId = `${id}-restored`;
        const row = entries.getSnapshot().find((each) => each.id === noteId);
        return row ? { petId: row.petId, noteId } : null;
      },
      otherVersions: (id) =>
        derived(overview, ({ versions }) => versions.filter(({ documentId }) => documentId === id)),
      idsWithOtherVersions: () =>
        derived(overview, ({ versions }) => new Set(versions.map(({ documentId }) => documentId))),
      syncOverview: () => overview,
      journalSize: (petId) => Promise.resolve(sizeOf(entriesOf(petId))),
      fetchedOnce: () => fetchedOnce,
    },
  };
}

/** The result of a finished export. */
export const exported: FinishedExport = {
  pets: 1,
  notes: 2,
  voiceNotes: 0,
  drafts: 0,
  otherVersions: 0,
  missingFiles: 0,
  isPartial: false,
  fileName: 'pawpals-2026-05-03.zip',
  zip: new Blob(['zip']),
};

export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** A promise that a test settles. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { promise, resolve, reject };
}
