import type { Entry } from '../../schemas/documents/document.ts';
import type { DraftPlace } from '../lib/draft.ts';

/** Returns the place of the draft of an entry's new text. It is erased with the dog. */
export function editDraft(owner: string, { id, petId }: Pick<Entry, 'id' | 'petId'>): DraftPlace {
  return { owner, name: `${petId}.edit.${id}` };
}

/** Returns the place of the draft of a dog's new description. */
export function descriptionDraft(owner: string, petId: string): DraftPlace {
  return { owner, name: `${petId}.description` };
}
