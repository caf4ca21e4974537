import * as v from 'valibot';
import type { EntryRow } from '../../../schemas/document.ts';
import { noteTextMaxLength } from '../../../schemas/limits.ts';
import { noteTooLong } from '../../../schemas/messages.ts';
import { CommandError } from '../../data/commands.ts';
import { readDraft, writeDraft, type DraftPlace } from '../../lib/draft.ts';

/** A note on its way to the local store: shown at once, gone when its stored entry is there. */
export interface OutgoingNote {
  readonly key: number;
  readonly text: string;
  readonly sentMs: number;
  /** Set when it is durable on this device. */
  readonly entryId: string | null;
  /** Entries of the same words that were there before it: none of them is its own. */
  readonly knownIds: ReadonlySet<string>;
}

interface NoteWritingState {
  /** What is in the box. */
  readonly text: string;
  readonly outgoing: readonly OutgoingNote[];
  /** A sentence for the owner; null when there is none. */
  readonly problem: string | null;
}

/**
 * The composer of one journal. Its guarantees:
 * - what is typed is kept as a draft until it is durable as an entry, over reloads and crashes;
 * - a note that was being stored when the page went is either an entry or back in the box, never both;
 * - a note that could not be stored is back in the box, before whatever was typed since;
 * - it goes on when the page is left while a note is being stored.
 */
export interface NoteWriting {
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => NoteWritingState;
  readonly type: (text: string) => void;
  /** @returns true if there was something to send. */
  readonly send: (rows: readonly EntryRow[]) => boolean;
  /** Forgets the notes whose entries have arrived. Rows that are not read yet must not be taken for none. */
  readonly settle: (rows: readonly EntryRow[]) => void;
}

export interface NoteWritingDeps {
  readonly place: DraftPlace;
  readonly addNote: (text: string) => Promise<string>;
  readonly now: () => number;
}

const notStored =
  'This note could not be saved on this device. Nothing is lost: it is back in the box.';

const sendingSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ text: v.string(), knownIds: v.array(v.string()) })),
);

function sendingPlace({ owner, name }: DraftPlace): DraftPlace {
  return { owner, name: `${name}.sending` };
}

/** The notes that were being stored when the page went: it takes the stored entries to know which were. */
function readSending(place: DraftPlace): readonly OutgoingNote[] {
  const stored = v.safeParse(sendingSchema, readDraft(sendingPlace(place)));
  if (!stored.success) return [];
  return stored.output.map(({ text, knownIds }, index) => ({
    key: -1 - index,
    text,
    sentMs: 0,
    entryId: null,
    knownIds: new Set(knownIds),
  }));
}

function writeSending(place: DraftPlace, notes: readonly OutgoingNote[]): void {
  const sending = notes.map(({ text, knownIds }) => ({ text, knownIds: [...knownIds] }));
  writeDraft(sendingPlace(place), sending.length === 0 ? '' : JSON.stringify(sending));
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** The notes whose entries are not among the rows yet. An entry is the entry of one note only. */
export function withoutStored(
  outgoing: readonly OutgoingNote[],
  rows: readonly EntryRow[],
): readonly OutgoingNote[] {
  const rowIds = new Set(rows.map(({ id }) => id));
  const claimed = new Set(outgoing.map(({ entryId }) => entryId));
  return outgoing.filter(({ entryId, knownIds, text }) => {
    if (entryId !== null) return !rowIds.has(entryId);
    const row = rows.find(
      ({ id, text: stored }) => stored === text && !knownIds.has(id) && !claimed.has(id),
    );
    if (row !== undefined) claimed.add(row.id);
    return row === undefined;
  });
}

export function createNoteWriting({ place, addNote, now }: NoteWritingDeps): NoteWriting {
  const watchers = new Set<() => void>();
  let state: NoteWritingState = { text: readDraft(place), outgoing: [], problem: null };
  let interrupted = readSending(place);
  let lastKey = 0;

  const update = (change: Partial<NoteWritingState>): void => {
    state = { ...state, ...change };
    writeDraft(place, state.text);
    const unstored = state.outgoing.filter(({ entryId }) => entryId === null);
    writeSending(place, [...interrupted, ...unstored]);
    for (const watcher of watchers) watcher();
  };

  const store = async ({ key, text }: OutgoingNote): Promise<void> => {
    try {
      const entryId = await addNote(text);
      const outgoing = state.outgoing.map((note) =>
        note.key === key ? { ...note, entryId } : note,
      );
      update({ outgoing });
    } catch (error) {
      update({
        outgoing: state.outgoing.filter((note) => note.key !== key),
        text: joined([text, state.text]),
        problem: error instanceof CommandError ? error.message : notStored,
      });
    }
  };

  return {
    getSnapshot: () => state,
    subscribe: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    type: (text) => {
      update({ text, problem: text.trim().length > noteTextMaxLength ? noteTooLong : null });
    },
    send: (rows) => {
      const text = state.text.trim();
      if (text === '' || text.length > noteTextMaxLength) return false;
      lastKey += 1;
      const sameWords = rows.filter((row) => row.text === text);
      const knownIds = new Set(sameWords.map(({ id }) => id));
      const note = { key: lastKey, text, sentMs: now(), entryId: null, knownIds };
      update({ text: '', problem: null, outgoing: [...state.outgoing, note] });
      void store(note);
      return true;
    },
    settle: (rows) => {
      const lost = withoutStored(interrupted, rows).map(({ text }) => text);
      const outgoing = withoutStored(state.outgoing, rows);
      const isSettled = interrupted.length === 0 && outgoing.length === state.outgoing.length;
      interrupted = [];
      if (!isSettled) update({ outgoing, text: joined([...lost, state.text]) });
    },
  };
}
