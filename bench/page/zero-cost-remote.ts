import type { LocalDocument } from '../../schemas/documents/document.ts';
import type { SyncedCollection } from '../../schemas/documents/sync-state.ts';
import {
  refKey,
  type Head,
  type RemoteDocument,
  type RemoteDocuments,
  type RemoteWrite,
} from '../../replication/ports.ts';

/**
 * A server that answers at once and costs next to nothing, so that only the device is measured. It keeps documents in
 * the order of seq and accepts each of them once.
 */
export interface ZeroCostRemote {
  readonly documents: RemoteDocuments;
  count(): number;
}

function toRemote(write: RemoteWrite | LocalDocument, seq: number): RemoteDocument {
  const { collection, id, petId, ownerId, fields, edits, deleted } = write;
  const content = { collection, id, petId, ownerId, fields, edits, deleted };
  return { ...content, seq, updatedAtMs: Date.now(), newerSchema: false };
}

export function createZeroCostRemote(stored: readonly LocalDocument[] = []): ZeroCostRemote {
  const byKey = new Map<string, RemoteDocument>();
  const bySeq: Readonly<Record<SyncedCollection, RemoteDocument[]>> = { pets: [], entries: [] };
  let head: Head | null = null;

  const add = (document: RemoteDocument): void => {
    if (byKey.has(refKey(document))) throw new Error('This server takes each document once');
    byKey.set(refKey(document), document);
    bySeq[document.collection].push(document);
  };

  for (const [index, document] of stored.entries()) add(toRemote(document, index + 1));
  if (stored.length > 0) head = { head: stored.length, epoch: 'bench' };

  const documents: RemoteDocuments = {
    readHead: async () => head,
    pull: async (collection, afterSeq, limit) => {
      const all = bySeq[collection];
      const start = all.findIndex(({ seq }) => seq > afterSeq);
      return start === -1 ? [] : all.slice(start, start + limit);
    },
    hasUnsequenced: async () => false,
    sumOfSeqs: async (collection) => bySeq[collection].reduce((sum, { seq }) => sum + seq, 0),
    scan: async () => [],
    abandon: () => undefined,
    transact: async (refs, decide) => {
      const seen = refs.map((ref) => [refKey(ref), byKey.get(refKey(ref)) ?? null] as const);
      const plan = decide({ head, documents: new Map(seen) });
      for (const write of plan.writes) add(toRemote(write, write.seq));
      ({ head } = plan);
      return plan.result;
    },
  };
  return { documents, count: () => byKey.size };
}
