import { liveQuery } from 'dexie';
import type { OutboxJob } from '../../schemas/outbox-job.ts';
import type { FileStores } from '../../store/file-stores.ts';

/** What is watched: part of Dexie's observables, which RxJS understands too. */
export interface Watchable<T> {
  subscribe(observer: {
    readonly next: (value: T) => void;
    readonly error: (error: unknown) => void;
  }): { unsubscribe(): void };
}

/**
 * The jobs of one owner with their bytes.
 *
 * - A job and its bytes come and go in one transaction.
 * - A job is moved on only by who has seen its newest state: a job that was replaced, moved on or removed meanwhile is left
 *   as it is.
 */
export interface OutboxQueue {
  /** Adds a job; one that waits under the same id is replaced, bytes and all, or stays if the new one cannot be stored. */
  put(job: OutboxJob, bytes: ArrayBuffer): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly OutboxJob[]>;
  /** As {@link list}, whenever any tab or the worker changes it. */
  watch(): Watchable<readonly OutboxJob[]>;
  get(id: string): Promise<OutboxJob | null>;
  /** null if they are not those of this job any more. */
  readBytes(job: OutboxJob): Promise<ArrayBuffer | null>;
  /** @returns the job as it is now; null if it had changed. */
  move(job: OutboxJob, changes: JobChanges): Promise<OutboxJob | null>;
  /** Removes it with its bytes. @returns false if it had changed. */
  remove(job: OutboxJob): Promise<boolean>;
}

export type JobChanges = Partial<
  Pick<OutboxJob, 'stage' | 'attempts' | 'nextAttemptAtMs' | 'code'>
>;

/** No two states of one job agree in all of these. */
function isSame(stored: OutboxJob | undefined, seen: OutboxJob): boolean {
  return (
    stored?.token === seen.token && stored.stage === seen.stage && stored.attempts === seen.attempts
  );
}

export function createOutboxQueue(database: FileStores): OutboxQueue {
  const { jobs, bytes: allBytes } = database;

  const list = (): Promise<OutboxJob[]> => jobs.orderBy('createdAtMs').toArray();

  return {
    put: (job, bytes) =>
      database.transaction('rw', jobs, allBytes, async () => {
        await allBytes.put({ id: job.id, token: job.token, bytes });
        await jobs.put(job);
      }),
    list,
    watch: () => liveQuery(list),
    get: async (id) => (await jobs.get(id)) ?? null,
    readBytes: async ({ id, token }) => {
      const stored = await allBytes.get(id);
      return stored?.token === token ? stored.bytes : null;
    },
    move: (job, changes) =>
      database.transaction('rw', jobs, async () => {
        if (!isSame(await jobs.get(job.id), job)) return null;
        const next = { ...job, ...changes };
        await jobs.put(next);
        return next;
      }),
    remove: (job) =>
      database.transaction('rw', jobs, allBytes, async () => {
        if (!isSame(await jobs.get(job.id), job)) return false;
        await jobs.delete(job.id);
        await allBytes.delete(job.id);
        return true;
      }),
  };
}
