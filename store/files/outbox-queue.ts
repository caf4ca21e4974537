import { bytesIdOf } from '../../schemas/local/file-bytes.ts';
import type { OutboxJob } from '../../schemas/local/outbox-job.ts';
import { voiceNoteJobId } from '../../schemas/documents/voice-note.ts';
import { together, type Writes } from '../document-store.ts';
import { successorsOf } from '../successors.ts';
import type { OutboxDeps } from './outbox-deps.ts';

export type JobChanges = Partial<Omit<OutboxJob, 'id' | 'kind' | 'token'>>;

function oldestFirst(one: OutboxJob, other: OutboxJob): number {
  return one.createdAtMs - other.createdAtMs;
}

function isJobId(id: string): boolean {
  return id.startsWith('profile-picture:') || id.startsWith('voice-note:');
}

export type OutboxQueue = ReturnType<typeof createOutboxQueue>;

/**
 * The jobs of one owner. A job is changed by compare-and-set only: one that was replaced, moved or removed meanwhile
 * stays as it is.
 */
export function createOutboxQueue({ store, files }: Pick<OutboxDeps, 'store' | 'files'>) {
  /**
   * Removes a job; its bytes become part of the cache. @returns false, with nothing written, if the job had changed.
   */
  const end = (from: OutboxJob, also: Writes = {}): Promise<boolean> =>
    store.commit(together({ jobs: [{ from, to: null }] }, also));

  /** Lists the jobs, oldest first. */
  const list = async (): Promise<readonly OutboxJob[]> => {
    const records = [...(await store.listRecords('outbox-job')).values()];
    return records.map(({ job }) => job).toSorted(oldestFirst);
  };

  const get = async (id: string): Promise<OutboxJob | null> => {
    const record = await store.readRecord(id);
    return record?.kind === 'outbox-job' ? record.job : null;
  };

  const ofEntry = async (entryId: string): Promise<OutboxJob | null> => {
    const own = await get(voiceNoteJobId(entryId));
    if (own !== null) return own;
    const jobs = await list();
    const ids = jobs.flatMap((job) => job.entryId ?? []);
    const successors = await successorsOf(store, ids);
    return jobs.find((job) => successors.get(job.entryId ?? '')?.id === entryId) ?? null;
  };

  return {
    list,
    /** Watches {@link list}, also for changes by other tabs and the worker. */
    watch: () => files.watch(list, isJobId),
    get,
    /**
     * Returns the job with the recording of an entry: its own, or that of the deleted entry that it replaces, until the
     * outbox hands it over.
     */
    ofEntry,
    /** Watches {@link ofEntry}. While the entry has a job of its own, only that one is read again. */
    watchOfEntry: (entryId: string) => {
      const ownId = voiceNoteJobId(entryId);
      let hasOwn = false;
      const read = async (): Promise<OutboxJob | null> => {
        const job = await ofEntry(entryId);
        hasOwn = job?.id === ownId;
        return job;
      };
      return files.watch(read, (changed) => (hasOwn ? changed === ownId : isJobId(changed)));
    },
    /** Returns a job's bytes; null if they are not on this device. */
    readBytes: async (job: OutboxJob): Promise<ArrayBuffer | null> =>
      (await files.read(bytesIdOf(job)))?.bytes ?? null,
    /**
     * Changes a job. @param also further writes of the same commit. @returns the new job; null, with nothing written, if
     * it had changed.
     */
    move: async (
      from: OutboxJob,
      changes: JobChanges,
      also: Writes = {},
    ): Promise<OutboxJob | null> => {
      const to = { ...from, ...changes };
      return (await store.commit(together({ jobs: [{ from, to }] }, also))) ? to : null;
    },
    end,
    /** Like {@link end}, and removes its bytes, unless another job or a version needs them. */
    discard: (job: OutboxJob, also: Writes = {}) =>
      end(job, together({ bytes: [[bytesIdOf(job), null]] }, also)),
  };
}
