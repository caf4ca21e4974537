import { feedKey } from '../../../../schemas/documents/feed-key.ts';
import { feedPageSize, noteTextMaxLength } from '../../../../schemas/limits.ts';
import { noteTooLong } from '../../../../schemas/copy/form-copy.ts';
import { commandErrorCopy, type Commands } from '../../../data/commands/commands.ts';
import { readDraft, watchDraft, writeDraft, type DraftPlace } from '../../../lib/draft.ts';
import { createRisingClock } from '../../../lib/dates/rising-clock.ts';
import type { JournalRange } from '../feed/feed-ranges.ts';
import type { Attachment } from '../journal-voice.ts';
import { createSendingNotes, type SendingNote } from './sending-notes.ts';

/** A note in flight to the local store. It is shown at once, and removed when its stored entry is shown. */
export interface OutgoingNote extends SendingNote {
  /** Whether the note is durable on this device. */
  readonly isStored: boolean;
}

interface NoteWritingState {
  /** The text in the box. */
  readonly text: string;
  readonly outgoing: readonly OutgoingNote[];
  /** A sentence for the owner; null when there is none. */
  readonly problem: string | null;
  /** Whether a recording is attached, which is sent with the text in the box. */
  readonly isAttached: boolean;
}

/** The newest range of the feed, as far as it is read. */
export type NewestRange = Pick<JournalRange, 'rows' | 'until'>;

/** The composer of one journal. */
export interface NoteWriting {
  /** Subscribes. The first subscriber starts storing notes that were interrupted. */
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => NoteWritingState;
  readonly type: (text: string) => void;
  /** Appends words to the current text in the box. */
  readonly add: (text: string) => void;
  /** Sends the text in the box. @returns true if there was something to send. */
  readonly send: () => boolean;
  /** Attaches a recording, which is sent with the next text; null detaches it. */
  readonly attach: (attachment: Attachment | null) => void;
  /** Removes a text from the box that was stored elsewhere, unless the owner has changed it. */
  readonly drop: (text: string) => void;
  /** Removes outgoing notes that the newest range makes superfluous. */
  readonly settle: (newest: NewestRange) => void;
}

export interface NoteWritingDeps {
  /** The place of the draft; its name is the id of the pet. */
  readonly place: DraftPlace;
  readonly commands: () => Promise<Pick<Commands, 'addNote'>>;
  readonly newId: () => string;
  readonly now: () => number;
}

/**
 * Returns the feed key of the oldest entry in the range; null if the range holds all older entries. Higher keys lie
 * outside.
 */
function endOf({ rows, until }: NewestRange): string | null {
  return until ?? rows?.[feedPageSize - 1]?.feedKey ?? null;
}

/**
 * Returns the notes to show below the feed: those without an entry in the feed or further up, where a slow clock puts
 * it.
 */
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

/**
 * Creates the composer of one journal.
 *
 * - Typed text is stored as a draft until it is durable as an entry, over reloads and crashes.
 * - A note has its id before it is stored, so an interrupted store is retried, and adds the note only once.
 * - A note that could not be stored returns to the box, before the text that was typed since.
 * - Storing continues when the page is left; a note whose storing fails then is retried at the next start.
 * - With a recording attached, the text is sent as its transcript, and stays in the box until both are stored.
 * - A tab writes the draft only when its own text has changed, and shows the text that another tab types.
 */
export function createNoteWriting({ place, commands, newId, now }: NoteWritingDeps): NoteWriting {
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
    // Once it is left, another composer may have taken the draft over.
    const isOwn = watchers.size > 0 || readDraft(place) === state.text;
    if (change.text !== undefined && change.text !== state.text && isOwn) {
      writeDraft(place, change.text);
    }
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
      await (await commands()).addNote({ id, petId: place.name, text, createdDate: sentMs });
    } catch (error) {
      update({ outgoing: state.outgoing.filter((other) => !isSame(other)) });
      // Without a subscriber nobody sees the box, and another tab may have stored its own note. The note is retried at
      // the next start.
      if (watchers.size === 0 || !(isOwn || sending.isKept(id))) return;
      giveBack(note, commandErrorCopy(error));
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

  /**
   * Stores notes whose storing was interrupted by a crash or a reload, or is in flight in another tab. The id makes it
   * idempotent.
   */
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

  /** Removes the sent text, and keeps text that was typed while it was sent. */
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
      show({ problem: commandErrorCopy(error) });
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
      const isTooLong = text.length > noteTextMaxLength;
      // It may have come from a draft or another app, unseen.
      if (isTooLong) show({ problem: problemOf(text) });
      if (isNothing || isSending || isTooLong) return false;
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
      // The feed was read after the notes were stored, so a stored note that it lacks was deleted since.
      const unstored = state.outgoing.filter(({ isStored }) => !isStored);
      const outgoing = withoutShown(unstored, newest);
      if (outgoing.length !== state.outgoing.length) update({ outgoing });
    },
  };
}
