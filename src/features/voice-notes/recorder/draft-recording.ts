import { draftNames, type DraftPlace } from '../../../lib/draft.ts';

/** Returns the place of the text of a box with an attached recording. @param journal the place of the journal's draft. */
export function recordingDraft(journal: DraftPlace, id: string): DraftPlace {
  return { ...journal, name: `${journal.name}.recording.${id}` };
}

/** Returns the ids of the recordings whose texts are drafts: their pages went, or have not sent them yet. */
export function draftedRecordings(journal: DraftPlace): readonly string[] {
  const { name } = recordingDraft(journal, '');
  return draftNames(journal.owner, name.slice(0, -1)).map((found) => found.slice(name.length));
}
