import { feedKey } from '../../../../schemas/documents/feed-key.ts';
import { feedPageSize, noteTextMaxLength } from '../../../../schemas/limits.ts';
import { noteTooLong } from '../../../../schemas/copy/messages.ts';
import { commandSentence, type NewNote } from '../../../data/commands/commands.ts';
import { readDraft, watchDraft, writeDraft, type DraftPlace } from '../../../lib/draft.ts';
import { createRisingClock } from '../../../lib/dates/rising-clock.ts';
import type { JournalRange } from '../feed/feed-ranges.ts';
import type { Attachment } from '../journal-voice.ts';
import { createSendingNotes, type SendingNote } from './sending-notes.ts';

/** A note on its way to the local store: shown at once, gone when its stored entry is there. */
export interface OutgoingNote extends SendingNote {
  /** It is durable on this device. */
  readonly isStored: boolean;
}

interface NoteWritingState {
  /** What is in the box. */
  readonly text: string;
  readonly outgoing: readonly OutgoingNote[];
  /** A sentence for the owner; null when there is none. */
  readonly problem: string | null;
  /** A recording goes with what is in the box, and is sent with it. */
  readonly isAttached: boolean;
}

/** What is known of the newest stretch of the feed. */
export type NewestRange = Pick<JournalRange, 'rows' | 'until'>;

/**
 * The composer of one journal. Its guarantees:
 * - what is typed is kept as a draft until it is durable as an entry, over reloads and crashes;
 * - a note has its id before it is stored, so that one that was cut off is stored again by itself, and never twice;
 * - a note that could not be stored is back in the box, before whatever was typed since;
 * - it goes on when the page is left while a note is being stored; one that fails then is tried at the next start;
 * - with a recording attached, it is sent as the text of that: it stays in the box until the recording is kept with it;
 * - a tab writes the draft only when its own text has changed, and shows what another tab types in its place.
 */
export interface NoteWriting {
  /** The first to subscribe has it store what was cut off. */
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => NoteWritingState;
  readonly type: (text: string) => void;
  /** Puts words after what is in the box, which may have changed since they were asked for. */
  readonly add: (text: string) => void;
  /** @returns true if there was something to send. */
  readonly send: () => boolean;
  /** This recording goes with whatever is sent from now on; null: none does. */
  readonly attach: (attachment: Attachment | null) => void;
  /** Takes a text out of the box that was kept elsewhere, unless something was written to it. */
  readonly drop: (text: string) => void;
  /** Forgets the notes that what was just read has made superfluous. */
  readonly settle: (newest: NewestRange) => void;
}

export interface NoteWritingDeps {
  readonly place: DraftPlace;
  readonly addNote: (note: Required<Omit<NewNote, 'petId'>>) => Promise<unknown>;
  readonly newId: () => string;
  readonly now: () => number;
}

/** Entries with a higher key lie outside, further up; null if there are none. */
function endOf({ rows, until }: NewestRange): string | null {
  return until ?? rows?.[feedPageSize - 1]?.feedKey ?? null;
}

/** The notes to show below the feed: those that have no entry in it, nor one further up, as with a slow clock. */
export function withoutShown(
  outgoing: readonly OutgoingNote[],
  newest: NewestRange | undefined,
): readonly OutgoingNote[] {
  if (!newest?.rows) return outgoing;
  const rowIds = new Set(newest.rows.map(({ id }) => id));
  const end = endOf(newest);
  const isFurtherUp = ({ id, sentMs }: OutgoingNote): boolean =>
    end !== null && feedKey(sentMs, id) > end;
  return outgoing.filter((note) => !rowIds.has(note.id) && !(note.isStored && isFurtherUp(note)));
}

function problemOf(text: string): string | null {
  return text.trim().length > noteTextMaxLength ? noteTooLong : null;
}

export function createNoteWriting({ place, addNote, newId, now }: NoteWritingDeps): NoteWriting {
  const sending = createSendingNotes(place);
  const watchers = new Set<() => void>();
  let attachment: Attachment | null = null;
  let isSending = false;
  let state: NoteWritingState = {
    text: readDraft(place),
    outgoing: [],
    problem: null,
    isAttached: false,
  };
  const nextSentMs = createRisingClock(now);
  let unfollow: (() => void) | null = null;

  const show = (change: Partial<NoteWritingState>): void => {
    state = { ...state, ...change };
    for (const watcher of watchers) watcher();
  };

  const update = (change: Partial<NoteWritingState>): void => {
    if (change.text !== undefined && change.text !== state.text) writeDraft(place, change.text);
    show(change);
  };

  const giveBack = ({ id, text }: SendingNote, problem: string): void => {
    sending.forget(id);
    update({ text: state.text === '' ? text : `${text}\n\n${state.text}`, problem });
  };

  const store = async (note: OutgoingNote, isOwn: boolean): Promise<void> => {
    const { id, text, sentMs } = note;
    const isSame = (other: OutgoingNote): boolean => other.id === id;
    try {
      await addNote({ id, text, createdDate: sentMs });
    } catch (error) {
      update({ outgoing: state.outgoing.filter((other) => !isSame(other)) });
      // Nobody sees the box any more, or another tab has dealt with its own note: it stays where it is.
      if (watchers.size === 0 || !(isOwn || sending.isKept(id))) return;
      giveBack(note, commandSentence(error));
      return;
    }
    sending.forget(id);
    update({
      outgoing: state.outgoing.map((other) =>
        isSame(other) ? { ...other, isStored: true } : other,
      ),
    });
  };

  const addOutgoing = (notes: readonly SendingNote[], isOwn: boolean): void => {
    const added = notes.map((note) => ({ ...note, isStored: false }));
    update({ outgoing: [...state.outgoing, ...added] });
    for (const note of added) void store(note, isOwn);
  };

  /** Stores what was cut off by a crash or a reload, or is still being stored by another tab: the id makes it one. */
  const resume = (): void => {
    const known = new Set(state.outgoing.map(({ id }) => id));
    const cutOff = sending.all().filter(({ id }) => !known.has(id));
    if (cutOff.length > 0) addOutgoing(cutOff, false);
  };

  const start = (): void => {
    unfollow = watchDraft(place, (text) => show({ text, problem: problemOf(text) }));
    resume();
  };

  const type = (text: string): void => update({ text, problem: problemOf(text) });

  /** Text that was typed while it was sent stays. */
  const removeSent = (text: string): void => {
    if (state.text.startsWith(text)) type(state.text.slice(text.length));
  };

  const sendAttached = async (own: Attachment): Promise<void> => {
    const { text } = state;
    isSending = true;
    try {
      await own.send(text);
      removeSent(text);
    } catch (error) {
      show({ problem: commandSentence(error) });
    } finally {
      isSending = false;
    }
  };

  const sendNote = (text: string): void => {
    const note = { id: newId(), text, sentMs: nextSentMs() };
    sending.keep(note);
    update({ text: '', problem: null });
    addOutgoing([note], true);
  };

  return {
    getSnapshot: () => state,
    subscribe: (onChange) => {
      watchers.add(onChange);
      if (watchers.size === 1) start();
      return () => {
        watchers.delete(onChange);
        if (watchers.size === 0) unfollow?.();
      };
    },
    type,
    add: (text) => {
      const before = state.text.trimEnd();
      type(before === '' ? text : `${before} ${text}`);
    },
    send: () => {
      const text = state.text.trim();
      const isNothing = text === '' && attachment === null;
      if (isNothing || isSending || text.length > noteTextMaxLength) return false;
      if (attachment === null) sendNote(text);
      else void sendAttached(attachment);
      return true;
    },
    attach: (next) => {
      attachment = next;
      show({ isAttached: next !== null });
    },
    drop: (text) => {
      if (state.text.trim() === text) type('');
    },
    settle: (newest) => {
      // The feed was read after they were stored: what it does not show was deleted since.
      const unstored = state.outgoing.filter(({ isStored }) => !isStored);
      const outgoing = withoutShown(unstored, newest);
      if (outgoing.length !== state.outgoing.length) update({ outgoing });
    },
  };
}
