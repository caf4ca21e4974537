import type { RemoveFileJob } from '../../schemas/local-record.ts';
import { hasWorkLeft } from '../../schemas/outbox-job.ts';
import { deletedEntryFileKeptMs, fileOf } from '../../schemas/remove-file.ts';
import type { SyncedCollection } from '../../schemas/sync-state.ts';
import { createBackoff } from '../connectivity/backoff.ts';
import {
  RemoteError,
  type Clock,
  type Log,
  type OnlineSignal,
  type RemoteFiles,
} from '../ports.ts';
import { writeRecord } from '../../store/change-documents.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { findFileReferences } from './file-references.ts';
import type { Outbox } from '../../store/files/outbox.ts';

/**
 * Removes files from the server that no document speaks of any more. See O6 in replication/SPEC.md.
 *
 * - Only after the server knows that their document gave them up: until then another device may still show them.
 * - Never while another document, or a version that can be restored, speaks of them, or a job of this device brings them.
 * - A file that is refused for good is left alone until the next session, and holds up no other.
 */
export interface FileRemovals {
  /** @returns epoch milliseconds of the next attempt that waits for nothing but time; null if there is none. */
  run(options: FileRemovalOptions): Promise<number | null>;
}

export interface FileRemovalOptions {
  /** Pauses between attempts are over. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

export interface FileRemovalsDeps {
  readonly store: DocumentStore;
  readonly files: Pick<RemoteFiles, 'remove'>;
  readonly outbox: { readonly queue: Pick<Outbox['queue'], 'list'> };
  readonly clock: Pick<Clock, 'now'>;
  readonly online: Pick<OnlineSignal, 'isOnline'>;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Fails if the server lets nobody in under this account: then a refusal says nothing of a file. */
  readonly confirmAccount: () => Promise<void>;
}

type Jobs = ReadonlyMap<string, RemoveFileJob>;
type Outcome = 'removed' | 'refused' | 'later' | 'pass-over';

function isDue({ notBeforeMs }: RemoveFileJob, nowMs: number): boolean {
  // A clock that was set back must not keep a file for ever.
  return notBeforeMs <= nowMs || notBeforeMs > nowMs + deletedEntryFileKeptMs;
}

function where(jobs: Jobs, isWanted: (job: RemoveFileJob, id: string) => boolean): Jobs {
  return new Map([...jobs].filter(([id, job]) => isWanted(job, id)));
}

async function listJobs(store: Pick<DocumentStore, 'listRecords'>): Promise<Jobs> {
  const jobs = new Map<string, RemoveFileJob>();
  for (const [id, record] of await store.listRecords('remove-file')) {
    if (record.kind === 'remove-file') jobs.set(id, record);
  }
  return jobs;
}

/** Jobs whose document has given its file up, which the server knows. */
async function givenUp(store: Pick<DocumentStore, 'get'>, jobs: Jobs): Promise<Jobs> {
  const idsOf = (collection: SyncedCollection): string[] =>
    [...jobs.values()].flatMap((job) => (job.collection === collection ? [job.documentId] : []));
  const pets = await store.get('pets', idsOf('pets'));
  const documents = { pets, entries: await store.get('entries', idsOf('entries')) };
  return where(jobs, ({ collection, documentId, objectName }) => {
    const document = documents[collection].get(documentId)?.document;
    return document === undefined || (document.pending === 0 && fileOf(document) !== objectName);
  });
}

export function createFileRemovals(deps: FileRemovalsDeps): FileRemovals {
  const { store, files, clock, online, log } = deps;
  const backoff = createBackoff({ random: deps.random });
  const refused = new Set<string>();
  let pausedUntilMs = 0;

  /** Without those that somebody speaks of still, or again. */
  const unused = async (jobs: Jobs): Promise<Jobs> => {
    if (jobs.size === 0) return jobs;
    const named = [...jobs.values()].map((job) => [job.objectName, job.collection] as const);
    const { live, kept } = await findFileReferences(store, new Map(named));
    const done = [...where(jobs, ({ objectName }) => live.has(objectName)).keys()];
    await store.commit({ records: done.map((id) => [id, null]) });
    // The document that a job is going to tell of its file does not speak of it yet.
    const onTheWay = (await deps.outbox.queue.list()).filter(hasWorkLeft);
    const used = new Set([...live, ...kept, ...onTheWay.map(({ objectName }) => objectName)]);
    return where(jobs, ({ objectName }) => !used.has(objectName));
  };

  const outcomeOf = async (error: unknown): Promise<Outcome> => {
    if (!(error instanceof RemoteError)) throw error;
    if (error.code === 'unauthenticated' || !online.isOnline()) return 'pass-over';
    if (error.kind === 'transient') return 'later';
    try {
      await deps.confirmAccount();
      return 'refused';
    } catch {
      return 'later';
    }
  };

  const remove = async (job: RemoveFileJob, signal: AbortSignal): Promise<Outcome> => {
    try {
      await files.remove(job.objectName, signal);
      return 'removed';
    } catch (error) {
      signal.throwIfAborted();
      return outcomeOf(error);
    }
  };

  /** @returns false if it must be tried again. */
  const removeAll = async (jobs: Jobs, signal: AbortSignal): Promise<boolean> => {
    let isDone = true;
    for (const [id, job] of jobs) {
      signal.throwIfAborted();
      const outcome = await remove(job, signal);
      if (outcome === 'removed') await writeRecord(store, id, null);
      else if (outcome === 'refused') {
        refused.add(id);
        log('file-removal-refused', { collection: job.collection });
      } else if (outcome === 'pass-over') return true;
      else isDone = false;
    }
    return isDone;
  };

  const run = async ({ isUrgent, signal }: FileRemovalOptions): Promise<number | null> => {
    const nowMs = clock.now();
    if (!online.isOnline()) return null;
    if (!isUrgent && pausedUntilMs > nowMs) return pausedUntilMs;
    const jobs = where(await listJobs(store), (_job, id) => !refused.has(id));
    const due = where(jobs, (job) => isDue(job, nowMs));
    if (await removeAll(await unused(await givenUp(store, due)), signal)) {
      backoff.reset();
      pausedUntilMs = 0;
    } else {
      pausedUntilMs = nowMs + backoff.nextDelayMs();
      log('file-removal-postponed');
    }
    const later = [...jobs.values()].filter((job) => !isDue(job, nowMs));
    const times = [pausedUntilMs, ...later.map((job) => job.notBeforeMs)].filter(
      (ms) => ms > nowMs,
    );
    return times.length === 0 ? null : Math.min(...times);
  };

  return { run };
}
