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

/** Creates the notes in flight. @param place the place of the same journal's draft. */
export function createSendingNotes({ owner, name }: DraftPlace): SendingNotes {
  const start = `${name}.sending`;

  /** Returns the notes; the name of each has its instant and its id, and its draft has the text alone. */
  const kept = () =>
    draftNames(owner, start).map((found) => {
      const at = found.lastIndexOf('.');
      const sentMs = Number(found.slice(start.length + 1, at));
      return { id: found.slice(at + 1), sentMs, place: { owner, name: found } };
    });
  const ofId = (id: string) => kept().filter((note) => note.id === id);

  return {
    keep: ({ id, text, sentMs }) => writeDraft({ owner, name: `${start}.${sentMs}.${id}` }, text),
    forget: (id) => ofId(id).forEach(({ place }) => writeDraft(place, '')),
    isKept: (id) => ofId(id).length > 0,
    all: () =>
      kept()
        .map(({ id, sentMs, place }) => ({ id, sentMs, text: readDraft(place) }))
        .toSorted((a, b) => a.sentMs - b.sentMs),
  };
}
