import { draftNames, readDraft, writeDraft, type DraftPlace } from '../../../lib/draft.ts';

/** A note that the owner has sent and that is not known to be stored. */
export interface SendingNote {
  readonly id: string;
  readonly text: string;
  readonly sentMs: number;
}

/**
 * The notes of one journal on their way to the local store, each under a key of its own: tabs do not touch each other's,
 * and one that was cut off is found at the next start.
 */
export interface SendingNotes {
  readonly keep: (note: SendingNote) => void;
  readonly forget: (id: string) => void;
  readonly isKept: (id: string) => boolean;
  /** In the order in which they were sent. */
  readonly all: () => readonly SendingNote[];
}

/** The instant, a space, the text. */
const keptForm = /^(\d+) ([^]+)$/;

/** @param place where the text in the box of the same journal is kept. */
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
