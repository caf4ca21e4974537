import { noteTextMaxLength } from '../../../../schemas/limits.ts';
import { noteTooLong } from '../../../../schemas/copy/form-copy.ts';
import { commandErrorCopy, type Commands } from '../../../data/commands/commands.ts';
import { readDraft, watchDraft, writeDraft, type DraftPlace } from '../../../lib/draft.ts';
import { createRisingClock } from '../../../lib/dates/rising-clock.ts';
import type { Attachment } from '../journal-voice.ts';
import { withoutShown, type NewestRange, type OutgoingNote } from './outgoing-notes.ts';
import { createSendingNotes, type SendingNote } from './sending-notes.ts';

interface NoteWritingState {
  /** The text in the box. */
  readonly text: string;
  readonly outgoing: readonly OutgoingNote[];
  /** A sentence for the owner; null when there is none. */
  readonly problem: string | null;
  /** Whether a recording is attached, which is sent with the text in the box. */
  readonly isAttached: boolean;
}

/** The composer of one journal. */
export interface NoteWriting {
  /** Subscribes. The first subscriber starts storing notes that were interrupted. */
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => NoteWritingState;
  readonly type: (text: string) => void;
  /** Appends words to the current text in the box. */
  readonly add: (text: string) => void;
  /**
   * Sends the text in the box. While a recording is stored, what was typed since is sent after it. @returns true if
   * there was something to send.
   */
  readonly send: () => boolean;
  /** Attaches a recording, which is sent with the next text; null detaches it. */
  readonly attach: (attachment: Attachment | null) => void;
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

interface SentText {
  readonly place: DraftPlace;
  readonly text: string;
}

/** Returns what was typed after a text that was sent. */
function afterSent(typed: string, { text }: SentText): string {
  return typed.startsWith(text) ? typed.slice(text.length) : typed;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
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
 * - The text of a box with a recording is a draft of its own, until the recording is stored with it or removed. No other
 *   tab shows it, and after a reload it is shown again with its recording.
 * - Without a subscriber, the text of the box is the draft.
 */
export function createNoteWriting({ place, commands, newId, now }: NoteWritingDeps): NoteWriting {
  const sending = createSendingNotes(place);
  const watchers = new Set<() => void>();
  let attachment: Attachment | null = null;
  /** The draft in the box: that of the journal, or that of an attached recording. */
  let box = place;
  /** The text that is being stored with a recording; null for none. */
  let sent: SentText | null = null;
  /** Whether the owner has pressed Send while that is in the box. */
  let isNextSent = false;
  let state: NoteWritingState = {
    text: '',
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

  /** Returns the state. Nobody follows the draft without a subscriber, so it is read then. */
  const current = (): NoteWritingState => {
    const text = watchers.size > 0 ? state.text : readDraft(box);
    if (text !== state.text) state = { ...state, text, problem: null };
    return state;
  };

  const update = (change: Partial<NoteWritingState>): void => {
    const { text } = change;
    if (text !== undefined && text !== current().text) writeDraft(box, text);
    show(change);
  };

  const follow = (): void => {
    unfollow?.();
    unfollow = watchDraft(box, (text) => show({ text, problem: problemOf(text) }));
  };

  /** Takes the text in the box to another draft, below the text that is there. A text that is being stored stays. */
  const moveTo = (to: DraftPlace): void => {
    if (to.name === box.name) return;
    const typed = current().text;
    const left = sent?.place === box ? sent : null;
    const text = joined(readDraft(to), left === null ? typed : afterSent(typed, left).trim());
    const isStored = writeDraft(to, text);
    writeDraft(box, left?.text ?? '');
    // A full device has room for it now.
    if (!isStored) writeDraft(to, text);
    box = to;
    if (watchers.size > 0) follow();
    show({ text, problem: problemOf(text) });
  };

  /** Without a subscriber, the text of a recording that is not attached any more stays with that. */
  const leaveBox = (): void => {
    if (attachment === null) box = place;
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
      sending.forget(id);
      update({ text: joined(text, current().text), problem: commandErrorCopy(error) });
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

  const type = (text: string): void => update({ text, problem: problemOf(text) });

  const outgo = (text: string): void => {
    const note = { id: newId(), text, sentMs: nextSentMs() };
    sending.keep(note);
    addOutgoing([note], true);
  };

  const sendNote = (text: string): void => {
    outgo(text);
    update({ text: '', problem: null });
  };

  /** Removes a text that is stored from its draft; what was typed since stays, or is sent too. */
  const removeSent = (own: SentText): void => {
    const isInBox = box === own.place;
    const rest = afterSent(isInBox ? current().text : readDraft(own.place), own);
    const isRestSent = isInBox && isNextSent && rest.trim() !== '';
    const left = isRestSent ? '' : rest;
    if (isInBox) {
      type(left);
      if (attachment === null) moveTo(place);
    } else {
      writeDraft(own.place, '');
      if (left !== '') type(joined(current().text, left));
    }
    if (isRestSent) outgo(rest.trim());
  };

  const sendAttached = async (attached: Attachment): Promise<void> => {
    const own = { place: box, text: state.text };
    sent = own;
    isNextSent = false;
    const end = (): void => {
      if (sent === own) sent = null;
    };
    try {
      await attached.send(own.text);
      if (attachment === attached) attachment = null;
      end();
      removeSent(own);
    } catch (error) {
      end();
      show({ problem: commandErrorCopy(error) });
    }
  };

  const send = (): boolean => {
    if (sent?.place === box) {
      isNextSent = true;
      return true;
    }
    const text = state.text.trim();
    const isNothing = text === '' && attachment === null;
    const isTooLong = text.length > noteTextMaxLength;
    // It may have come from a draft or another app, unseen.
    if (isTooLong) show({ problem: problemOf(text) });
    if (isNothing || isTooLong) return false;
    if (attachment === null) sendNote(text);
    else void sendAttached(attachment);
    return true;
  };

  return {
    getSnapshot: current,
    subscribe: (onChange) => {
      current();
      watchers.add(onChange);
      if (watchers.size === 1) {
        follow();
        resume();
      }
      return () => {
        watchers.delete(onChange);
        if (watchers.size > 0) return;
        unfollow?.();
        leaveBox();
      };
    },
    type,
    add: (text) => {
      const before = state.text.trimEnd();
      type(before === '' ? text : `${before} ${text}`);
    },
    send,
    attach: (next) => {
      attachment = next;
      if (next !== null) moveTo(next.draft);
      else if (watchers.size === 0) leaveBox();
      else if (sent?.place !== box) moveTo(place);
      show({ isAttached: next !== null });
    },
    settle: (newest) => {
      // The feed was read after the notes were stored, so a stored note that it lacks was deleted since.
      const unstored = state.outgoing.filter(({ isStored }) => !isStored);
      const outgoing = withoutShown(unstored, newest);
      if (outgoing.length !== state.outgoing.length) update({ outgoing });
    },
  };
}
