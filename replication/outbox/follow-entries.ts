import type { OutboxJob } from '../../schemas/outbox-job.ts';
import type { LocalDocument } from '../../schemas/document.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { Outbox } from './outbox.ts';

export interface FollowEntriesDeps {
  readonly outbox: Pick<Outbox, 'voiceNotes' | 'queue'>;
  readonly store: Pick<DocumentStore, 'get'>;
  /** The id under which a deleted entry comes back when its deletion is taken back. */
  readonly successorId: (entryId: string) => Promise<string>;
}

/**
 * Recordings go with their entries: one whose entry was written is to be sent; one whose entry was moved to another dog,
 * or taken back after it was deleted, belongs there from now on.
 */
export async function followEntries(deps: FollowEntriesDeps): Promise<void> {
  const { outbox, store, successorId } = deps;

  const entryOf = async (id: string): Promise<LocalDocument | null> =>
    (await store.get('entries', [id])).get(id)?.document ?? null;

  const follow = async (job: OutboxJob, entryId: string): Promise<void> => {
    const own = await entryOf(entryId);
    const isGone = own === null || own.deleted;
    const entry = isGone ? await entryOf(await successorId(entryId)) : own;
    if (entry !== null && !entry.deleted && (isGone || entry.petId !== job.petId)) {
      const { id, petId } = entry;
      await outbox.voiceNotes.rehome(job, { entryId: id, petId: petId ?? '' });
    } else if (own !== null && job.stage === 'recorded') {
      await outbox.queue.move(job, { stage: 'queued' });
    }
  };

  for (const job of await outbox.queue.list()) {
    if (job.kind === 'voice-note' && job.entryId !== null) await follow(job, job.entryId);
  }
}
