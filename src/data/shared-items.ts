import type { SharedItem } from '../../schemas/local/shared-item.ts';

/** What other apps have shared, until it is put somewhere. All fail with a `CommandError` only. */
export interface SharedItems {
  /** null: used up, too old, or never there. */
  read(id: string): Promise<SharedItem | null>;
  /** Keeps what is left of it; with nothing left, it goes. */
  keepRest(item: SharedItem): Promise<void>;
  remove(id: string): Promise<void>;
}

/** What is needed of the store, which src/app passes in. */
export interface SharesPort {
  write(item: SharedItem): Promise<void>;
  read(id: string): Promise<SharedItem | null>;
  remove(id: string): Promise<void>;
}
