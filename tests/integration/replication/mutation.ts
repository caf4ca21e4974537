import type { SyncRules } from '../../../replication/documents/sync-rules.ts';
import type { RemoteDocuments } from '../../../replication/ports.ts';
import type { DocumentStore } from '../../../store/document-store.ts';

/** Replaces parts of the engine, to see whether the histories notice. */
export interface Mutation {
  readonly rules?: Partial<SyncRules>;
  readonly wrapStore?: (store: DocumentStore, remote: RemoteDocuments) => DocumentStore;
  readonly wrapRemote?: (
    remote: RemoteDocuments,
    device: { readonly store: DocumentStore; readonly now: () => number },
  ) => RemoteDocuments;
  /** Edits are stamped with the device's own clock, whatever stamps the document has. */
  readonly isStampRaw?: boolean;
  /** It takes two engines of one device to notice, which few histories of everything have. */
  readonly isOfCrowds?: boolean;
}
