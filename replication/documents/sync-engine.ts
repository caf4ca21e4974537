import { RemoteError, type Clock, type Log, type RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { commitMaxDocuments } from '../../schemas/limits.ts';
import { untilAborted } from '../connectivity/until-aborted.ts';
import { createPagePace } from './pull/page-pace.ts';
import { pull } from './pull/pull.ts';
import { resumeDeletePetJobs, runSweepPetJobs } from './push/delete-pet-job.ts';
import { push } from './push/push.ts';
import { createServerClock } from './server-clock.ts';
import type { SyncContext } from './sync-context.ts';
import { syncRules, type SyncRules } from './sync-rules.ts';

/**
 * The result of a run. Its kind is:
 *
 * - `none`: everything that can be done was done.
 * - `transient`: no answer, or none that counts; retry soon.
 * - `permanent`: refused; an immediate retry would change nothing.
 * - `defect`: an unexpected error, perhaps of the local database.
 * - `stopped`: the lock was lost, or the owner signed out.
 */
export interface SyncOutcome {
  readonly kind: 'none' | 'transient' | 'permanent' | 'defect' | 'stopped';
  /** The server's code, or `account-refused`, `contention`, `defect` or `stopped`; null without a problem. */
  readonly problem: string | null;
}

/** Keeps one owner's documents the same on this device and on the server. See replication/SPEC.md. */
export interface SyncEngine {
  /**
   * Syncs once: pulls and pushes until both sides are equal. Never rejects; a problem ends the run early and is in the
   * outcome. Ends at once when aborted, and writes nothing more.
   */
  run(signal: AbortSignal): Promise<SyncOutcome>;
}

export interface SyncPorts {
  readonly store: DocumentStore;
  readonly remote: RemoteDocuments;
}

export interface SyncEngineDeps {
  /**
   * Opens the ports of one run. Once the signal is aborted, they refuse every call, and `remote` drops the answer of a
   * call in flight.
   */
  readonly openPorts: (signal: AbortSignal) => SyncPorts;
  readonly clock: Pick<Clock, 'now'>;
  /** Random ids, for epochs. */
  readonly newId: () => string;
  readonly log: Log;
  /** Overrides single rules. */
  readonly rules?: Partial<SyncRules>;
  /** The maximum number of documents in one page of a pull. */
  readonly pullPageSize?: number;
}

/** The first page is small because 500 notes take a minute on a slow link. */
const firstPageSize = 100;

/** Each round resolves all conflicts of the round before, so more than a few mean that other devices keep writing. */
const maxRounds = 12;

/** @returns false if there is more to do than a run should. */
async function runRounds(context: SyncContext): Promise<boolean> {
  await context.serverClock.load(context.store);
  await resumeDeletePetJobs(context.store);
  for (let round = 0; round < maxRounds; round += 1) {
    await pull(context);
    await runSweepPetJobs(context.store, context.serverClock.now());
    if (await push(context)) return true;
  }
  return false;
}

function outcomeOf(error: unknown): SyncOutcome {
  if (error instanceof RemoteError) return { kind: error.kind, problem: error.code };
  return { kind: 'defect', problem: 'defect' };
}

export function createSyncEngine(deps: SyncEngineDeps): SyncEngine {
  const { openPorts, clock, newId, log, pullPageSize = 500 } = deps;
  const serverClock = createServerClock(clock);
  const rules = { ...syncRules, ...deps.rules };
  const deviceNow = () => clock.now();
  const pullPace = createPagePace({ now: deviceNow, first: firstPageSize, most: pullPageSize });
  const most = commitMaxDocuments;
  const pushPace = createPagePace({ now: deviceNow, first: most, most });

  return {
    run: async (signal) => {
      try {
        signal.throwIfAborted();
        const ports = openPorts(signal);
        const own = { serverClock, newId, log, deviceNow, rules, pullPace, pushPace };
        const rounds = runRounds({ ...ports, ...own });
        const isDone = await untilAborted(signal, rounds, () => ports.remote.abandon());
        return isDone
          ? { kind: 'none', problem: null }
          : { kind: 'transient', problem: 'contention' };
      } catch (error) {
        if (signal.aborted) return { kind: 'stopped', problem: 'stopped' };
        const outcome = outcomeOf(error);
        if (outcome.kind === 'defect') {
          log('sync-defect', { error: error instanceof Error ? error.name : typeof error });
        }
        return outcome;
      }
    },
  };
}
