import type { SyncRules } from '../../../replication/documents/sync-rules.ts';
import type { RemoteDocuments } from '../../../replication/ports.ts';
import type { DocumentStore } from '../../../store/document-store.ts';

/** A replacement of parts of the engine, which the histories must detect. */
export interface Mutation {
  readonly rules?: Partial<SyncRules>;
  readonly wrapStore?: (store: DocumentStore, remote: RemoteDocuments) => DocumentStore;
  readonly wrapRemote?: (
    remote: RemoteDocuments,
    device: { readonly store: DocumentStore; readonly now: () => number },
  ) => RemoteDocuments;
  /** Whether edits are stamped with the device's own clock, regardless of the document's stamps. */
  readonly isStampRaw?: boolean;
  /** Whether only races of two engines of one device reveal it, which are rare in the general histories. */
  readonly isOfCrowds?: boolean;
}
