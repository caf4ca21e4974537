import type { Entry } from '../../../schemas/documents/document.ts';
import { derivedId } from '../../../store/derived-id.ts';
import type { Collections } from '../../../store/rxdb/database.ts';
import type { JournalSize, NotePlace } from './queries.ts';

/** The number of entries in one read, so that the page stays responsive. */
const pageSize = 500;

/** Reads a whole journal page by page, newest first. */
export async function* readJournal(
  { journal_entries: entries }: Pick<Collections, 'journal_entries'>,
  petId: string,
): AsyncGenerator<readonly Entry[]> {
  let after = '';
  for (;;) {
    const page = await entries
      .find({
        selector: { petId, deleted: false, feedKey: { $gt: after } },
        sort: [{ petId: 'asc' }, { deleted: 'asc' }, { feedKey: 'asc' }],
        limit: pageSize,
      })
      .exec();
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map((entry) => entry.toMutableJSON());
    after = last.feedKey;
  }
}

/** Finds the place of the entry that was restored or moved under the id that is derived from a deleted one's. */
export async function readNextPlace(
  { journal_entries: entries }: Pick<Collections, 'journal_entries'>,
  entryId: string,
): Promise<NotePlace | null> {
  const noteId = await derivedId(entryId);
  const entry = await entries.findOne(noteId).exec();
  return entry && { petId: entry.petId, noteId };
}

export async function readJournalSize(
  collections: Collections,
  petId: string,
): Promise<JournalSize> {
  let [notes, voiceNotes] = [0, 0];
  for await (const page of readJournal(collections, petId)) {
    const spoken = page.filter(({ fields: { type } }) => type === 'voice-note').length;
    voiceNotes += spoken;
    notes += page.length - spoken;
  }
  return { notes, voiceNotes };
}
