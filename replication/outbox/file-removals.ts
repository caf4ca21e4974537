import type { RemoveFileJob } from '../../schemas/local/local-record.ts';
import { fileOf } from '../../schemas/local/remove-file.ts';
import { createBackoff } from '../connectivity/backoff.ts';
import { RemoteError, type Log, type RemoteFiles } from '../ports.ts';
import { writeRecord } from '../../store/change-documents.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { pagesOf } from '../../store/indexeddb/pages.ts';
import { isGivenUp, isRemovalDue, namesNeeded } from './decide.ts';
import { failureOf, type Failure, type FailureDeps } from './failure.ts';
import type { Ledger, LedgerDeps } from './ledger.ts';

/**
 * Removes files from the server that no document speaks of any more. See O6 in replication/SPEC.md.
 *
 * - Only after the server knows that their document gave them up: until then another device may still show them.
 * - Never while another document, or a version that can be restored, speaks of them, or a job of this device brings them.
 * - A file that is refused for good is left alone until the next session, and holds up no other.
 */
export interface FileRemovals {
  /** @returns epoch milliseconds of the next attempt that waits for nothing but time; null if there is none. */
  run(ledger: Ledger, options: FileRemovalOptions): Promise<number | null>;
}

export interface FileRemovalOptions {
  /** Pauses between attempts are over. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}

export interface FileRemovalsDeps extends LedgerDeps, FailureDeps {
  readonly store: DocumentStore;
  readonly files: Pick<RemoteFiles, 'remove'>;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly log: Log;
}

type Jobs = ReadonlyMap<string, RemoveFileJob>;
type Outcome = 'removed' | Failure['kind'];

function where(jobs: Jobs, isWanted: (job: RemoveFileJob, id: string) => boolean): Jobs {
  return new Map([...jobs].filter(([id, job]) => isWanted(job, id)));
}

const pageSize = 500;

/** Names, of those of the jobs, that live documents speak of. Looks through all, since no index knows of files. */
async function namesShown(
  store: Pick<DocumentStore, 'listAll'>,
  jobs: Jobs,
): Promise<ReadonlySet<string>> {
  const names = new Set([...jobs.values()].map(({ objectName }) => objectName));
  const shown = new Set<string>();
  for (const collection of new Set([...jobs.values()].map((job) => job.collection))) {
    for await (const page of pagesOf((at) => store.listAll(collection, at), pageSize)) {
      for (const { document } of page) {
        const name = document.deleted ? null : fileOf(document);
        if (name !== null && names.has(name)) shown.add(name);
      }
    }
  }
  return shown;
}

export function createFileRemovals(deps: FileRemovalsDeps): FileRemovals {
  const { store, files, clock, online, log } = deps;
  const backoff = createBackoff({ random: deps.random });
  const refused = new Set<string>();
  let pausedUntilMs = 0;

  /**
   * Without those that somebody speaks of still, or again. The ledger was read before the documents are: what passes from
   * there to a document meanwhile is seen.
   */
  const unused = async (jobs: Jobs, ledger: Ledger): Promise<Jobs> => {
    if (jobs.size === 0) return jobs;
    const shown = await namesShown(store, jobs);
    const done = [...where(jobs, ({ objectName }) => shown.has(objectName)).keys()];
    if (done.length > 0) await store.commit({ records: done.map((id) => [id, null]) });
    const needed = namesNeeded(ledger);
    return where(jobs, ({ objectName }) => !shown.has(objectName) && !needed.has(objectName));
  };

  const remove = async (job: RemoveFileJob, signal: AbortSignal): Promise<Outcome> => {
    try {
      await files.remove(job.objectName, signal);
      return 'removed';
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RemoteError)) throw error;
      return (await failureOf(error, deps)).kind;
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

  const run: FileRemovals['run'] = async (ledger, { isUrgent, signal }) => {
    const nowMs = clock.now();
    if (!online.isOnline()) return null;
    if (!isUrgent && pausedUntilMs > nowMs) return pausedUntilMs;
    const jobs = where(ledger.removals, (_job, id) => !refused.has(id));
    const due = where(jobs, (job) => isRemovalDue(job, nowMs) && isGivenUp(job, ledger));
    if (await removeAll(await unused(due, ledger), signal)) {
      backoff.reset();
      pausedUntilMs = 0;
    } else {
      pausedUntilMs = nowMs + backoff.nextDelayMs();
      log('file-removal-postponed');
    }
    const later = [...jobs.values()].filter((job) => !isRemovalDue(job, nowMs));
    const times = [pausedUntilMs, ...later.map((job) => job.notBeforeMs)].filter(
      (ms) => ms > nowMs,
    );
    return times.length === 0 ? null : Math.min(...times);
  };

  return { run };
}
