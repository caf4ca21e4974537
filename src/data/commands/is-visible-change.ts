import type { PetRow } from '../../../schemas/documents/document.ts';

/** False for a tombstone of what the server never had, as far as is known here: it is sent all the same, to be sure. */
export function isVisibleChange({ deleted, seq }: Pick<PetRow, 'deleted' | 'seq'>): boolean {
  return !deleted || seq !== null;
}
