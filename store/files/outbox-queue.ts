import { bytesIdOf } from '../../schemas/local/file-bytes.ts';
import type { OutboxJob } from '../../schemas/local/outbox-job.ts';
import { together, type Writes } from '../document-store.ts';
import type { Watchable } from '../file-store.ts';
import type { OutboxDeps } from './outbox-deps.ts';

/**
 * The jobs of one owner. A job is changed by compare-and-set only: one that was replaced, moved or removed meanwhile
 * stays as it is.
 */
export interface OutboxQueue {
  /** Lists the jobs, oldest first. */
  list(): Promise<readonly OutboxJob[]>;
  /** Watches {@link list}, also for changes by other tabs and the worker. */
  watch(): Watchable<readonly OutboxJob[]>;
  get(id: string): Promise<OutboxJob | null>;
  /** Watches {@link get}, and reads that job only. */
  watchJob(id: string): Watchable<OutboxJob | null>;
  /** Returns a job's bytes; null if they are not on this device. */
  readBytes(job: OutboxJob): Promise<ArrayBuffer | null>;
  /**
   * Changes a job. @param also further writes of the same commit. @returns the new job; null, with nothing written, if
   * it had changed.
   */
  move(job: OutboxJob, changes: JobChanges, also?: Writes): Promise<OutboxJob | null>;
  /**
   * Removes a job; its bytes become part of the cache. @returns false, with nothing written, if the job had changed.
   */
  end(job: OutboxJob, also?: Writes): Promise<boolean>;
  /** Like {@link end}, and removes its bytes, unless another job or a version needs them. */
  discard(job: OutboxJob, also?: Writes): Promise<boolean>;
}

export type JobChanges = Partial<Omit<OutboxJob, 'id' | 'kind' | 'token'>>;

function oldestFirst(one: OutboxJob, other: OutboxJob): number {
  return one.createdAtMs - other.createdAtMs;
}

function isJobId(id: string): boolean {
  return id.startsWith('profile-picture:') || id.startsWith('voice-note:');
}

export function createOutboxQueue({
  store,
  files,
}: Pick<OutboxDeps, 'store' | 'files'>): OutboxQueue {
  const end: OutboxQueue['end'] = (from, also = {}) =>
    store.commit(together({ jobs: [{ from, to: null }] }, also));

  const list = async (): Promise<readonly OutboxJob[]> => {
    const records = [...(await store.listRecords('outbox-job')).values()];
    return records.map(({ job }) => job).toSorted(oldestFirst);
  };

  const get = async (id: string): Promise<OutboxJob | null> => {
    const record = await store.readRecord(id);
    return record?.kind === 'outbox-job' ? record.job : null;
  };

  return {
    list,
    watch: () => files.watch(list, isJobId),
    get,
    watchJob: (id) =>
      files.watch(
        () => get(id),
        (changed) => changed === id,
      ),
    readBytes: async (job) => (await files.read(bytesIdOf(job)))?.bytes ?? null,
    move: async (from, changes, also = {}) => {
      const to = { ...from, ...changes };
      return (await store.commit(together({ jobs: [{ from, to }] }, also))) ? to : null;
    },
    end,
    discard: (job, also = {}) => end(job, together({ bytes: [[bytesIdOf(job), null]] }, also)),
  };
}
