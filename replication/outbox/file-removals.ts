import type { RemoveFileJob } from '../../schemas/local/local-record.ts';
import { fileOf } from '../../schemas/local/remove-file.ts';
import { createBackoff, earliest, isOver } from '../connectivity/backoff.ts';
import { readCheckpoint } from '../documents/checkpoint.ts';
import { writeRecord } from '../../store/change-documents.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { pagesOf } from '../../store/indexeddb/pages.ts';
import { isGivenUp, isRemovalDue, namesNeeded } from './decide.ts';
import { failureOf, type Failure } from './failure.ts';
import type { FilesContext, PassOptions } from './files-context.ts';
import { readAttaching, type Ledger } from './ledger.ts';

type Jobs = readonly (readonly [id: string, job: RemoveFileJob])[];
type Outcome = 'removed' | Failure['kind'];

/** `begun`: its turn has ended before all were tried. `postponed`: some had no answer, or may be needed again. */
type Progress = 'done' | 'begun' | 'postponed';

/** How long the removals of a pass may take, in milliseconds: uploads wait for the next pass meanwhile. */
const turnMs = 30_000;

/**
 * Returns the names of all files that live documents refer to, in the collections of the jobs. Reads all documents,
 * since no index covers files.
 */
async function namesShown(
  store: Pick<DocumentStore, 'listAll'>,
  jobs: Jobs,
): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  for (const collection of new Set(jobs.map(([, job]) => job.collection))) {
    for await (const page of pagesOf((at) => store.listAll(collection, at))) {
      for (const { document } of page) {
        const name = document.deleted ? null : fileOf(document);
        if (name !== null) shown.add(name);
      }
    }
  }
  return shown;
}

/** Returns how far the server's documents are read, as text to compare. A sync that fetches nothing leaves it as it is. */
async function readProgress(store: DocumentStore): Promise<string> {
  const { epoch, seq, scan } = await readCheckpoint(store);
  return JSON.stringify([epoch, seq, scan]);
}

/**
 * Removes files from the server that no document refers to any more. See O6 in replication/SPEC.md.
 *
 * - A file is removed only after the server knows that its document gave it up: until then another device may show it.
 * - A file is kept while another document or a conflict version refers to it, or a job of this device attaches it.
 * - A file that is refused for good is skipped until the next session, and blocks no other.
 * - A turn ends once a document may have been fetched, which may refer to one of the files. The others are looked up again
 *   after a pause, so that a long fetch is not slowed down.
 * - Many removals, or a server that does not answer them, hold up no upload: after a while they wait for the next pass.
 */
export function createFileRemovals(deps: FilesContext) {
  const { store, files, clock, online, log } = deps;
  const backoff = createBackoff(deps.random);
  const refused = new Set<string>();
  let pausedUntilMs = 0;

  /**
   * Leaves out the files that are still, or again, referred to. The ledger was read before the documents, so a file
   * that moves from the ledger to a document meanwhile is found.
   */
  const unused = async (jobs: Jobs, ledger: Ledger): Promise<Jobs> => {
    const shown = await namesShown(store, jobs);
    const done = jobs.filter(([, { objectName }]) => shown.has(objectName));
    if (done.length > 0) await store.commit({ records: done.map(([id]) => [id, null]) });
    const needed = namesNeeded(ledger);
    return jobs.filter(([, { objectName }]) => !shown.has(objectName) && !needed.has(objectName));
  };

  const remove = async (job: RemoveFileJob, signal: AbortSignal): Promise<Outcome> => {
    try {
      await files.remove(job.objectName, signal);
      return 'removed';
    } catch (error) {
      signal.throwIfAborted();
      return (await failureOf(error, deps)).kind;
    }
  };

  /** Removes files one by one, for as long as a turn lasts. */
  const removeSome = async (due: Jobs, ledger: Ledger, signal: AbortSignal): Promise<Progress> => {
    const readTo = await readProgress(store);
    const jobs = await unused(due, ledger);
    const untilMs = clock.now() + turnMs;
    let progress: Progress = 'done';
    for (const [id, job] of jobs) {
      signal.throwIfAborted();
      if ((await readProgress(store)) !== readTo) return 'postponed';
      if (isOver(untilMs, clock.now(), turnMs)) return progress === 'done' ? 'begun' : progress;
      if (namesNeeded(await readAttaching(deps)).has(job.objectName)) continue;
      const outcome = await remove(job, signal);
      if (outcome === 'removed') await writeRecord(store, id, null);
      else if (outcome === 'refused') {
        refused.add(id);
        log('file-removal-refused', { collection: job.collection });
      } else if (outcome === 'pass-over') return 'done';
      else progress = 'postponed';
    }
    return progress;
  };

  /** @returns epoch milliseconds of the next scheduled attempt; null if there is none. */
  const run = async (ledger: Ledger, { isUrgent, signal }: PassOptions): Promise<number | null> => {
    const nowMs = clock.now();
    if (!online.isOnline()) return null;
    if (!isUrgent && !isOver(pausedUntilMs, nowMs)) return pausedUntilMs;
    const jobs = [...ledger.removals].filter(([id]) => !refused.has(id));
    const due = jobs.filter(([, job]) => isRemovalDue(job, nowMs) && isGivenUp(job, ledger));
    const progress = await removeSome(due, ledger, signal);
    if (progress === 'postponed') {
      pausedUntilMs = clock.now() + backoff.nextDelayMs();
      log('file-removal-postponed');
    } else {
      backoff.reset();
      pausedUntilMs = 0;
    }
    if (progress === 'begun') return nowMs;
    const later = jobs.filter(([, job]) => !isRemovalDue(job, nowMs));
    const times = [pausedUntilMs, ...later.map(([, job]) => job.notBeforeMs)];
    return earliest(times.filter((ms) => ms > nowMs));
  };

  return { run };
}
