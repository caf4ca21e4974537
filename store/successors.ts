import type { LocalDocument } from '../schemas/documents/document.ts';
import { derivedId } from './derived-id.ts';
import { documentsOf, type DocumentStore } from './document-store.ts';

/**
 * Returns the live entries that replace others since their deletion was undone, by the id of the old entry. An entry may
 * have been deleted and restored several times.
 */
export async function successorsOf(
  store: Pick<DocumentStore, 'get'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LocalDocument>> {
  if (ids.length === 0) return new Map();
  const nextIds = await Promise.all(ids.map(derivedId));
  const found = await documentsOf(store, 'entries', nextIds);
  const isGone = (id: string): boolean => found.get(id)?.deleted === true;
  const later = await successorsOf(store, nextIds.filter(isGone));
  const pairs = ids.flatMap((id, index) => {
    const next = nextIds[index] ?? '';
    const live = isGone(next) ? later.get(next) : found.get(next);
    return live === undefined ? [] : [[id, live] as const];
  });
  return new Map(pairs);
}
