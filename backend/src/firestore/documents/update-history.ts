import type { StoredDocument } from '../values/document.ts';
import { partitionPoint } from '../query/query-window.ts';

/**
 * - The documents of a group in the order of their last change, so that what changed after a version is
 *   found without looking at the rest.
 * - Kept for every document of the store, over any time and any restart: unlike the change log it does
 *   not know former contents and deletions.
 */
export interface UpdateHistory {
  /** Called after the document has become a member. */
  add(document: StoredDocument): void;
  since(version: number): readonly StoredDocument[];
}

const MIN_COMPACTED = 1000;

export function createUpdateHistory(members: ReadonlyMap<string, StoredDocument>): UpdateHistory {
  let updates: StoredDocument[] = [];
  let isSorted = true;
  const isCurrent = (each: StoredDocument) => members.get(each.path) === each;

  const sort = () => {
    updates = updates
      .filter(isCurrent)
      .toSorted((left, right) => left.updateVersion - right.updateVersion);
    isSorted = true;
  };

  return {
    add(document) {
      const last = updates.at(-1);
      // Only what is loaded at the start comes in another order.
      if (last !== undefined && last.updateVersion > document.updateVersion) isSorted = false;
      updates.push(document);
      if (updates.length > 2 * members.size + MIN_COMPACTED) updates = updates.filter(isCurrent);
    },
    since(version) {
      if (!isSorted) sort();
      const start = partitionPoint(updates, (each) => each.updateVersion > version);
      return updates.slice(start).filter(isCurrent);
    },
  };
}
