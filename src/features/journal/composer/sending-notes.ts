import { draftNames, readDraft, writeDraft, type DraftPlace } from '../../../lib/draft.ts';

/** A note that the owner has sent and that may not be stored yet. */
export interface SendingNote {
  readonly id: string;
  readonly text: string;
  readonly sentMs: number;
}

/**
 * The notes of one journal in flight to the local store. Each has a key of its own, so that tabs do not overwrite each
 * other's notes, and an interrupted one is found at the next start.
 */
export interface SendingNotes {
  readonly keep: (note: SendingNote) => void;
  readonly forget: (id: string) => void;
  readonly isKept: (id: string) => boolean;
  /** Returns the notes in the order in which they were sent. */
  readonly all: () => readonly SendingNote[];
}

/** The stored form: the instant, a space, the text. */
const keptForm = /^(\d+) ([^]+)$/;

/** Creates the notes in flight. @param place the place of the same journal's draft. */
export function createSendingNotes({ owner, name }: DraftPlace): SendingNotes {
  const start = `${name}.sending.`;
  const placeOf = (id: string): DraftPlace => ({ owner, name: start + id });
  const read = (id: string): readonly SendingNote[] => {
    const [, sentMs, text] = keptForm.exec(readDraft(placeOf(id))) ?? [];
    return text === undefined ? [] : [{ id, text, sentMs: Number(sentMs) }];
  };
  return {
    keep: ({ id, text, sentMs }) => writeDraft(placeOf(id), `${String(sentMs)} ${text}`),
    forget: (id) => writeDraft(placeOf(id), ''),
    isKept: (id) => readDraft(placeOf(id)) !== '',
    all: () =>
      draftNames(owner)
        .filter((found) => found.startsWith(start))
        .flatMap((found) => read(found.slice(start.length)))
        .toSorted((a, b) => a.sentMs - b.sentMs),
  };
}
