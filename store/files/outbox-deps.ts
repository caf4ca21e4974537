import type { DocumentStore } from '../document-store.ts';
import type { FileStore } from '../file-store.ts';

/** The dependencies of one owner's files on this device. */
export interface OutboxDeps {
  readonly store: Pick<DocumentStore, 'get' | 'readRecord' | 'listRecords' | 'commit'>;
  readonly files: FileStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly pictureCacheMaxBytes?: number;
  readonly audioCacheMaxBytes?: number;
}
