import type { Pet } from '../../../../schemas/documents/document.ts';
import type { JournalSize } from '../../../data/queries/queries.ts';
import { countText, joinWords } from '../../../lib/text/count-text.ts';

/**
 * Describes a deletion: "Bramble goes, with 312 notes and 14 voice notes, on all your devices." The name is isolated:
 * one that is written from right to left would reorder the words around it. @param size null if unknown.
 */
export function goingText(
  { fields: { name, profilePicturePath } }: Pet,
  size: JournalSize | null,
): string {
  const parts = [
    size === null ? 'the whole journal' : '',
    size !== null && size.notes > 0 ? countText(size.notes, 'note') : '',
    size !== null && size.voiceNotes > 0 ? countText(size.voiceNotes, 'voice note') : '',
    profilePicturePath === undefined ? '' : 'the picture',
  ].filter((part) => part !== '');
  const going = parts.length === 0 ? '' : `, with ${joinWords(parts)}`;
  const pet = name === undefined ? 'This dog' : `\u2068${name}\u2069`;
  return `${pet} goes${going}, on all your devices.`;
}
