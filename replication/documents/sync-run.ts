import { RemoteError } from '../ports.ts';
import { AccountRefusedError } from './account-refused-error.ts';
import { resumeDeletePetJobs, runSweepPetJobs } from './push/delete-pet-job.ts';
import { pull } from './pull/pull.ts';
import { push } from './push/push.ts';
import type { SyncContext } from './sync-context.ts';

/**
 * The result of a run.
 *
 * - `none`: everything that can be done was done.
 * - `transient`: no answer, or none that counts; retry soon.
 * - `permanent`: refused; an immediate retry would change nothing.
 * - `defect`: an unexpected error, perhaps of the local database.
 * - `stopped`: the lock was lost, or the owner signed out.
 */
type ProblemKind = 'none' | 'transient' | 'permanent' | 'defect' | 'stopped';

export interface SyncOutcome {
  readonly kind: ProblemKind;
  /** The server's code, or `account-refused`, `contention`, `defect` or `stopped`; null without a problem. */
  readonly problem: string | null;
  /** The number of documents that were written to the server. */
  readonly pushed: number;
  /** The number of copies on this device that changed. */
  readonly pulled: number;
  readonly parked: number;
}

interface Counts {
  pushed: number;
  pulled: number;
  parked: number;
}

/** Each round resolves all conflicts of the round before, so more than a few mean that other devices keep writing. */
const maxRounds = 12;

/** @returns false if there is more to do than a run should. */
async function runRounds(context: SyncContext, counts: Counts): Promise<boolean> {
  for (let round = 0; round < maxRounds; round += 1) {
    counts.pulled += (await pull(context)).changed;
    await runSweepPetJobs(context.store, context.serverClock.now());
    const report = await push(context);
    counts.pushed += report.written;
    counts.parked += report.parked;
    if (!report.isUnfinished) return true;
  }
  return false;
}

function problemOf(error: unknown): Pick<SyncOutcome, 'kind' | 'problem'> {
  if (error instanceof AccountRefusedError)
    return { kind: 'permanent', problem: 'account-refused' };
  if (error instanceof RemoteError) return { kind: error.kind, problem: error.code };
  return { kind: 'defect', problem: 'defect' };
}

/** Pulls and pushes until both sides are equal. Never rejects; a problem ends the run early and is in the outcome. */
export async function syncOnce(context: SyncContext, signal: AbortSignal): Promise<SyncOutcome> {
  const counts: Counts = { pushed: 0, pulled: 0, parked: 0 };
  try {
    await context.serverClock.load();
    await resumeDeletePetJobs(context.store);
    const isDone = await runRounds(context, counts);
    if (isDone) return { kind: 'none', problem: null, ...counts };
    return { kind: 'transient', problem: 'contention', ...counts };
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped', problem: 'stopped', ...counts };
    const problem = problemOf(error);
    if (problem.kind === 'defect') {
      context.log('sync-defect', { error: error instanceof Error ? error.name : typeof error });
    }
    return { ...problem, ...counts };
  }
}
