import {
  feedKeyOf,
  newDocument,
  type Entry,
  type Pet,
} from '../../../schemas/documents/document.ts';
import { deletePetJobId } from '../../../schemas/local/local-record.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import { compareNames } from '../../lib/text/compare-names.ts';
import type { Collections } from '../../../store/rxdb/database.ts';
import { heardWords, type UnfinishedRecording, type WholeRecording } from '../files/voice-files.ts';
import { readJournal } from '../queries/rx-journals.ts';
import type { ExportScope } from './transfers.ts';

export type ExportSource = Awaited<ReturnType<typeof openExportSource>>;

function newestFirst(one: Entry, other: Entry): number {
  return one.feedKey < other.feedKey ? -1 : 1;
}

/** A recording that its owner has not kept or discarded yet, with the transcript if there is one. */
type LooseRecording = Omit<WholeRecording, 'bytes'> & Pick<OutboxJob, 'heard'>;

/** Returns an entry for a recording without one. */
function entryOfRecording(recording: LooseRecording, ownerId: string): Entry {
  const { id, petId, contentType, startedAtMs: createdDate, durationMs, heard } = recording;
  const waiting = { text: '', transcript: 'waiting' } as const;
  const { text, transcript } = heard === undefined ? waiting : heardWords(heard);
  const words = { type: 'voice-note', transcript, ...(text !== '' && { text }) };
  const fields = { ...words, createdDate, contentType, durationMs };
  const identity = { collection: 'entries', id, ownerId, petId } as const;
  const document = newDocument(identity, fields, createdDate);
  return { ...document, petId, edits: {}, feedKey: feedKeyOf(document) };
}

/** Merges single entries into sorted pages. */
async function* merged(
  pages: AsyncIterable<readonly Entry[]> | readonly never[],
  extras: readonly Entry[],
): AsyncGenerator<readonly Entry[]> {
  let left = extras.toSorted(newestFirst);
  for await (const page of pages) {
    const last = page.at(-1)?.feedKey ?? '';
    const before = left.filter((extra) => extra.feedKey <= last);
    left = left.slice(before.length);
    const ids = new Set(page.map(({ id }) => id));
    yield [...page, ...before.filter(({ id }) => !ids.has(id))].toSorted(newestFirst);
  }
  if (left.length > 0) yield left;
}

interface SourceInput {
  readonly uid: string;
  readonly collections: Pick<Collections, 'pets' | 'journal_entries'>;
  readonly store: Pick<DocumentStore, 'listRecords'>;
  /** The files that the server does not have. */
  readonly jobs: readonly OutboxJob[];
  /** The recordings that are not finished. */
  readonly unfinished: readonly UnfinishedRecording[];
}

async function readPets({ collections, store }: SourceInput): Promise<readonly Pet[]> {
  const found = await collections.pets.find({ selector: { deleted: false } }).exec();
  const leaving = await store.listRecords('delete-pet');
  return found
    .map((pet) => pet.toMutableJSON())
    .filter(({ id }) => !leaving.has(deletePetJobId(id)));
}

/** Returns the recordings that may have no entry: those that are not finished, kept or discarded. */
function looseRecordings({ jobs, unfinished }: SourceInput): readonly LooseRecording[] {
  const recorded = jobs.filter(({ stage }) => stage === 'recorded');
  return [
    // One that was finished since the others were read is in both lists, and whole in this one.
    ...recorded.map(({ entryId, createdAtMs, durationMs = 0, ...job }) => ({
      ...job,
      id: entryId ?? '',
      startedAtMs: createdAtMs,
      durationMs,
    })),
    ...unfinished,
  ];
}

/** Reads the live entries of which only this device has the text, the recording or both. */
async function readUnsentEntries(
  input: SourceInput,
  unplaced: readonly string[],
): Promise<Entry[]> {
  const { journal_entries: entries } = input.collections;
  const loose = looseRecordings(input);
  const ids = [...input.jobs.map(({ entryId }) => entryId ?? ''), ...loose.map(({ id }) => id)];
  const [waiting, withFile] = await Promise.all([
    entries.find({ selector: { pending: { $gt: 0 } } }).exec(),
    entries.findByIds([...ids, ...unplaced]).exec(),
  ]);
  const rows = new Map<string, Entry>();
  for (const entry of [...waiting, ...withFile.values()]) rows.set(entry.id, entry.toMutableJSON());
  for (const recording of loose) {
    if (!rows.has(recording.id)) rows.set(recording.id, entryOfRecording(recording, input.uid));
  }
  return [...rows.values()].filter(({ deleted }) => !deleted);
}

/** Reads the dogs and entries of an export. */
export async function openExportSource(input: SourceInput, scope: ExportScope) {
  const { collections, jobs } = input;
  const placements = await input.store.listRecords('place-file');
  const unplaced = [...placements.values()].map(({ documentId }) => documentId);
  const [allPets, unsent] = await Promise.all([
    readPets(input),
    readUnsentEntries(input, unplaced),
  ]);
  const isPetWanted = (pet: Pet): boolean => {
    if (scope.kind === 'everything') return true;
    if (scope.kind === 'pet') return pet.id === scope.petId;
    const isNamed = ({ petId }: { readonly petId: string }): boolean => petId === pet.id;
    if (pet.pending > 0 || unplaced.includes(pet.id)) return true;
    return unsent.some(isNamed) || jobs.some(isNamed);
  };
  const pets = allPets
    .filter(isPetWanted)
    .toSorted((one, other) => compareNames(one.fields.name ?? '', other.fields.name ?? ''));
  const known = new Set(allPets.map(({ id }) => id));
  const strays = scope.kind === 'pet' ? [] : unsent.filter(({ petId }) => !known.has(petId));
  const recorded = new Set(jobs.map(({ entryId }) => entryId));
  const begun = new Set(
    input.unfinished.flatMap(({ id, isInProgress }) =>
      isInProgress && !recorded.has(id) ? id : [],
    ),
  );
  const extrasOf = (pet: Pet): readonly Entry[] => unsent.filter(({ petId }) => petId === pet.id);

  const counts = await Promise.all(
    pets.map(async (pet) => {
      if (scope.kind === 'unsent') return extrasOf(pet).length;
      const selector = { petId: pet.id, deleted: false };
      return collections.journal_entries.count({ selector }).exec();
    }),
  );
  return {
    /** The dogs, sorted by name. null stands for the entries whose dog is deleted. */
    pets: strays.length === 0 ? pets : [...pets, null],
    /** Whether it stands for a recording in progress, and not for the entry that its owner has made of it since. */
    isBegun: (entry: Entry): boolean => begun.has(entry.id) && unsent.includes(entry),
    /** Whether the dog has a picture that is not attached to it yet. */
    isUnplaced: ({ id }: Pet): boolean => unplaced.includes(id),
    entryCount: counts.reduce((sum, count) => sum + count, strays.length),
    /** The entries of a dog page by page, newest first. */
    entriesOf: (pet: Pet | null): AsyncIterable<readonly Entry[]> => {
      if (pet === null) return merged([], strays);
      const pages = scope.kind === 'unsent' ? [] : readJournal(collections, pet.id);
      return merged(pages, extrasOf(pet));
    },
  };
}
