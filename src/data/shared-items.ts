import type { SharedItem } from '../../schemas/local/shared-item.ts';

/** The items that other apps have shared and that are not used up. All methods reject only with a `CommandError`. */
export interface SharedItems {
  /** @returns the ids of those that are neither used up nor too old, oldest first. */
  list(): Promise<readonly string[]>;
  /** Returns null if the item is used up, too old, or was never there. */
  read(id: string): Promise<SharedItem | null>;
  /**
   * Stores the remaining parts of an item; removes the item if nothing remains. Calls at once, also in other tabs, lose
   * no change.
   * @param restOf returns the remaining parts of the stored item.
   * @returns the rest; null if the item is used up already.
   */
  keepRest(id: string, restOf: RestOfShared): Promise<SharedItem | null>;
}

export type RestOfShared = (item: SharedItem) => SharedItem;

export const withoutTexts: RestOfShared = (item) => ({ ...item, texts: [] });

export const withoutAll: RestOfShared = (item) => ({ ...item, texts: [], files: [] });

export function withoutFile(fileId: string): RestOfShared {
  return (item) => ({ ...item, files: item.files.filter(({ id }) => id !== fileId) });
}

/** The store of shared items, which src/app passes in. */
export interface SharesPort {
  list(): Promise<readonly string[]>;
  read(id: string): Promise<SharedItem | null>;
  /** Does what `keepRest` does, in one transaction. */
  update(id: string, restOf: RestOfShared): Promise<SharedItem | null>;
}
