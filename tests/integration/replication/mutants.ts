import { afterPage, readCheckpoint } from '../../../replication/documents/checkpoint.ts';
import { checkpointId } from '../../../schemas/local/local-record.ts';
import { mergeRemote } from '../../../replication/documents/merge/merge.ts';
import { planPush } from '../../../replication/documents/push/push-plan.ts';
import { parked, settled } from '../../../replication/documents/push/push-settle.ts';
import { RemoteError, type DocumentRef } from '../../../replication/ports.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import type { Mutation } from './mutation.ts';

async function makeAnew(store: DocumentStore, { collection, id }: DocumentRef): Promise<void> {
  const document = (await store.get(collection, [id])).get(id)?.document;
  if (document?.seq !== null) return;
  await store.commit({ swaps: [{ from: null, to: { ...document, id: `${id}-again` } }] });
}

/** A second guard (D2.9) makes two of the mutants harmless, so they run without it. */
const withoutGuard = { areSettled: () => true };

/** Known mistakes of sync engines, one per mutant. The histories must catch each of them, or they prove nothing. */
export const mutants: Readonly<Record<string, Mutation>> = {
  'push under a head that was not seen': {
    rules: {
      planPush: (batch, view) => {
        if (view.head === null) return planPush(batch, view);
        const { head, epoch } = view.head;
        const seen = { ...batch.checkpoint, epoch, seq: { pets: head, entries: head } };
        return planPush({ ...batch, checkpoint: seen }, view);
      },
    },
  },
  'the local edit is dropped on a conflict': {
    rules: {
      merge: (local, server, nowMs) =>
        mergeRemote(local && { ...local, pending: 0 }, server, nowMs),
    },
  },
  'versions are not kept': {
    rules: {
      merge: (local, server, nowMs) => ({ ...mergeRemote(local, server, nowMs), versions: [] }),
    },
  },
  'an edit wins over a delete': {
    rules: {
      merge: (local, server, nowMs) =>
        local !== null && local.pending !== 0 && !local.deleted && server.deleted
          ? { document: { ...local, seq: server.seq }, versions: [] }
          : mergeRemote(local, server, nowMs),
    },
  },
  'stamps are the raw clock': { isStampRaw: true },
  'an edit made meanwhile is marked clean': {
    rules: {
      settled: (stored, pushed, seq) =>
        stored.seq === pushed.seq
          ? { ...stored, pending: 0, seq, base: null, code: null }
          : settled(stored, pushed, seq),
    },
  },
  'parking forgets the ancestor': {
    rules: {
      parked: (stored, pushed, code) => ({
        ...parked(stored, pushed, code),
        base: stored.base && { fields: stored.fields, edits: stored.edits },
      }),
    },
  },
  'entries that come for a deleted pet are left there': {
    wrapStore: (store) => ({
      ...store,
      commit: ({ records = [], ...writes }) =>
        store.commit({
          ...writes,
          records: records.filter(([, record]) => record?.kind !== 'sweep-pet'),
        }),
    }),
  },
  'a restored server is not noticed': {
    rules: { markUnsynced: (stored) => stored },
  },
  'the checkpoint is stored before the documents': {
    wrapRemote: (remote, { store }) => ({
      ...remote,
      pull: async (collection, afterSeq, limit) => {
        const page = await remote.pull(collection, afterSeq, limit);
        const last = page.at(-1);
        const checkpoint = await readCheckpoint(store);
        const moved = last && afterPage(checkpoint, collection, last.seq);
        if (moved) await writeRecord(store, checkpointId, moved);
        return page;
      },
    }),
  },
  'the checkpoint is a head read after the queries': {
    wrapStore: (store, remote) => ({
      ...store,
      commit: async ({ records = [], ...writes }) => {
        const [[id, record] = [checkpointId, null], ...others] = records;
        if (record?.kind !== 'checkpoint' || !record.complete) {
          return store.commit({ ...writes, records });
        }
        const head = await remote.readHead();
        const seq = { pets: head?.head ?? 0, entries: head?.head ?? 0 };
        const isLater = head?.epoch === record.epoch;
        const moved = isLater ? { ...record, seq } : record;
        return store.commit({ ...writes, records: [[id, moved], ...others] });
      },
    }),
  },
  "the checkpoint jumps to the commit's head": {
    isOfCrowds: true,
    rules: {
      ...withoutGuard,
      afterCommit: (checkpoint, { after }) => ({
        ...checkpoint,
        seq: { pets: after.head, entries: after.head },
      }),
    },
  },
  'the checkpoint is a time of the device': {
    wrapRemote: (remote, { now }) => {
      const pulledAtMs = { pets: 0, entries: 0 };
      return {
        ...remote,
        pull: async (collection, afterSeq, limit) => {
          const page = await remote.pull(collection, afterSeq, limit);
          const since = pulledAtMs[collection];
          pulledAtMs[collection] = now();
          return page.filter(({ updatedAtMs }) => (updatedAtMs ?? 0) > since);
        },
      };
    },
  },
  'a lost answer is a failure, after which everything is made anew': {
    wrapRemote: (remote, { store }) => ({
      ...remote,
      transact: async (refs, decide) => {
        let sent: readonly DocumentRef[] = [];
        try {
          return await remote.transact(refs, (view) => {
            const plan = decide(view);
            sent = plan.writes;
            return plan;
          });
        } catch (error) {
          if (error instanceof RemoteError && error.kind === 'transient') {
            for (const ref of sent) await makeAnew(store, ref);
          }
          throw error;
        }
      },
    }),
  },
  'an answer that was lost marks nothing, and the seq stays': {
    rules: {
      ...withoutGuard,
      settled: (stored, pushed, seq) => ({
        ...settled(stored, pushed, seq),
        seq: stored.seq,
      }),
    },
  },
  'a pull takes the server state over a parked document': {
    rules: {
      merge: (local, server, nowMs) =>
        mergeRemote(local?.pending === 2 ? { ...local, pending: 0 } : local, server, nowMs),
    },
  },
  'a document that cannot be pushed is dropped': {
    rules: { parked: (stored) => ({ ...stored, pending: 0, code: null }) },
  },
};
