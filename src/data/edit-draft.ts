import type { Entry } from '../../schemas/documents/document.ts';
import { withPlainLineEnds } from '../../schemas/documents/plain-text.ts';
import { fnv1a } from '../../schemas/fnv1a.ts';
import type { DraftPlace } from '../lib/draft.ts';

/**
 * Returns the place of the draft of a new text among its drafts. It belongs to the text that it was typed over, so that
 * an old one does not replace a newer text.
 */
export function draftOver({ owner, name }: DraftPlace, stored: string): DraftPlace {
  return { owner, name: `${name}.${String(fnv1a(stored))}` };
}

/** Returns the beginning of the names of all drafts of an entry's new text. They are erased with the dog. */
export function editDrafts({ id, petId }: Pick<Entry, 'id' | 'petId'>): string {
  return `${petId}.edit.${id}`;
}

/** Returns the text of an entry as a form shows it. */
export function textOf({ fields }: Pick<Entry, 'fields'>): string {
  return withPlainLineEnds(fields.text ?? '');
}

/** Returns the place of the draft of an entry's new text. @param stored the text that it was typed over. */
export function editDraft(
  owner: string,
  entry: Pick<Entry, 'id' | 'petId' | 'fields'>,
  stored = textOf(entry),
): DraftPlace {
  return draftOver({ owner, name: editDrafts(entry) }, stored);
}

/** Said when the text of an entry was changed while a new one is being typed. */
export const overNewer =
  'This note has got another text meanwhile. Saving replaces it; it stays among the former versions.';

/** Returns the beginning of the names of all drafts of a detail of a dog. @param detail the name of its field. */
export function detailDrafts(petId: string, detail: string): string {
  return `${petId}.${detail}`;
}
