import type { Pet } from './document.ts';

/**
 * Returns false for a tombstone of a document that the server never had, as far as this device knows. It is sent
 * nevertheless.
 */
export function isVisibleChange({ deleted, seq }: Pick<Pet, 'deleted' | 'seq'>): boolean {
  return !deleted || seq !== null;
}
