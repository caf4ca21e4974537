import {
  draftNames,
  eraseDrafts,
  readDraft,
  writeDraft,
  type DraftPlace,
} from '../../../lib/draft.ts';

/** The id of a recording is the end of the name of a blank draft, which nobody counts or exports as a text. */
const blank = ' ';

function startOf({ name }: DraftPlace): string {
  return `${name}.recording`;
}

/**
 * Returns the id of the recording that was attached to a draft when its page went; null if there is none. If the text was
 * cleared since, the recording is detached, since it belongs to no other text.
 */
export function draftRecording(place: DraftPlace): string | null {
  const start = startOf(place);
  if (readDraft(place).trim() === '') eraseDrafts(place.owner, start);
  return draftNames(place.owner, start)[0]?.slice(start.length + 1) ?? null;
}

/** Notes that the recording is attached to the draft. */
export function attachToDraft(place: DraftPlace, id: string): void {
  eraseDrafts(place.owner, startOf(place));
  writeDraft({ ...place, name: `${startOf(place)}.${id}` }, blank);
}

/** Notes that the recording is not attached any more. */
export function detachFromDraft(place: DraftPlace, id: string): void {
  writeDraft({ ...place, name: `${startOf(place)}.${id}` }, '');
}
