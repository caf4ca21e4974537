import type { Entry } from '../../schemas/documents/document.ts';
import { hashToIndex } from '../lib/hash-to-index.ts';
import type { DraftPlace } from '../lib/draft.ts';

/** Returns the place of the draft of an entry's new text. It is erased with the dog. */
export function editDraft(owner: string, { id, petId }: Pick<Entry, 'id' | 'petId'>): DraftPlace {
  return { owner, name: `${petId}.edit.${id}` };
}

/** Returns the beginning of the names of all drafts of a dog's description. */
export function descriptionDrafts(petId: string): string {
  return `${petId}.description`;
}

/**
 * Returns the place of the draft of a dog's new description. A draft belongs to the text that it was typed over, so that
 * an old one does not replace a newer description.
 */
export function descriptionDraft(owner: string, petId: string, stored: string): DraftPlace {
  return { owner, name: `${descriptionDrafts(petId)}.${String(hashToIndex(stored, 2 ** 32))}` };
}
