import type { PokeReason, SyncStatus } from '../../schemas/local/relay-message.ts';
import { createBackoff } from '../connectivity/backoff.ts';
import { linkAbort } from '../connectivity/linked-abort.ts';
import type { Clock, ExclusiveLock, Log, OnlineSignal } from '../ports.ts';
import type { SyncEngine, SyncOutcome } from './sync-engine.ts';
import { createWakeUp, type WakeReason } from './wake-up.ts';

export type Coordinator = ReturnType<typeof createCoordinator>;

export interface CoordinatorDeps {
  readonly engine: SyncEngine;
  /** Syncs files under the same lock, after each run over the documents. */
  readonly outbox: OutboxWorker;
  readonly lock: ExclusiveLock;
  readonly clock: Clock;
  readonly online: OnlineSignal;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Passes a poke on to the tab that holds the lock; called when this one does not. */
  readonly passOn?: (reason: PokeReason) => void;
}

/** Uploads files, concurrently with the documents: an upload that takes minutes delays no note. */
export interface OutboxWorker {
  /**
   * Works until aborted: passes after each run that reached the server, and when a backoff delay is over. Never
   * rejects.
   */
  work(signal: AbortSignal): Promise<void>;
  poke(reason: WakeReason): void;
  /** Makes one pass, for a worker. Never rejects. @returns true if it has edited documents. */
  runOnce(signal: AbortSignal): Promise<boolean>;
}

/**
 * The interval of the fallback sync: the bell may be silent (a proxy, a sleeping tab), and a visible page is never
 * staler than this.
 */
export const slowTimerMs = 5 * 60_000;

/** Codes that mean that the server was not reached, which is shown as offline. */
const unreachableCodes: ReadonlySet<string | null> = new Set(['unavailable', 'timeout']);

const signInAgain = 'unauthenticated';

const idle: SyncStatus = { phase: 'idle', problem: null };
const offline: SyncStatus = { phase: 'offline', problem: null };

function statusAfter({ kind, problem }: SyncOutcome): SyncStatus {
  if (kind === 'none' || kind === 'stopped') return idle;
  const isUnreachable = kind === 'transient' && unreachableCodes.has(problem);
  return { phase: isUnreachable ? 'offline' : 'problem', problem };
}

/** Problems after which files are not synced either. Documents that are parked block no file. */
const fileless: ReadonlySet<string | null> = new Set([
  ...unreachableCodes,
  'not-firestore',
  signInAgain,
  'account-refused',
  'stopped',
]);

/** The status that is shown, which is reported when it changes. */
function createShown() {
  let shown = idle;
  const watchers = new Set<(status: SyncStatus) => void>();
  return {
    current: (): SyncStatus => shown,
    show: ({ phase, problem: found }: SyncStatus): void => {
      // Whether the owner has to sign in again, only the server tells.
      const isAnswered = phase === 'idle' || phase === 'problem';
      const isAsked = !isAnswered && shown.problem === signInAgain;
      const problem = isAsked ? signInAgain : found;
      if (phase === shown.phase && problem === shown.problem) return;
      shown = { phase, problem };
      for (const watcher of watchers) watcher(shown);
    },
    watch: (onChange: (status: SyncStatus) => void): (() => void) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
  };
}

/**
 * Decides when to sync.
 *
 * - It syncs only while it holds the lock of this owner, and never runs two syncs at once.
 * - A poke during a run leads to another run, so that no write is left waiting.
 * - While offline it waits, and sends no request.
 * - Transient failures are retried with backoff, which a return to the page shortens. Other problems are retried after a
 *   change or when the slow timer fires.
 * - Once stopped, or once its lock is stolen, a run ends at its next step.
 */
export function createCoordinator(deps: CoordinatorDeps) {
  const { engine, outbox, lock, online, clock } = deps;
  const shown = createShown();
  const wakeUp = createWakeUp(clock);
  const backoff = createBackoff(deps.random);
  let stopping: AbortController | null = null;
  let ended: Promise<void> = Promise.resolve();
  let isActive = false;

  const runShown = async (signal: AbortSignal): Promise<SyncOutcome> => {
    // A problem stays until the outcome: what the interface says of it, and its remedy, would come and go.
    const { phase, problem } = shown.current();
    shown.show({ phase: 'syncing', problem: phase === 'problem' ? problem : null });
    const outcome = await engine.run(signal);
    shown.show(online.isOnline() ? statusAfter(outcome) : offline);
    if (!fileless.has(outcome.problem)) outbox.poke('documents');
    return outcome;
  };

  const wake = (reason: PokeReason): void => {
    outbox.poke(reason);
    wakeUp.poke(reason);
  };

  /** Runs once and waits for the next poke or timer. */
  const turn = async (signal: AbortSignal): Promise<void> => {
    wakeUp.clear();
    if (!online.isOnline()) {
      shown.show(offline);
      await wakeUp.wait({ delayMs: null, isStubborn: true }, signal);
      return;
    }
    const outcome = await runShown(signal);
    const isStubborn = outcome.kind === 'transient';
    if (!isStubborn) backoff.reset();
    await wakeUp.wait(
      { delayMs: isStubborn ? backoff.nextDelayMs() : slowTimerMs, isStubborn },
      signal,
    );
  };

  const work = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) await turn(signal);
  };

  const workUntil = async (lockLost: AbortSignal, stop: AbortSignal): Promise<void> => {
    const either = linkAbort(lockLost, stop);
    isActive = true;
    deps.log('sync-lock-held');
    await Promise.all([work(either.signal), outbox.work(either.signal)]);
    isActive = false;
    either.unlink();
    shown.show(idle);
  };

  const holdLock = async (stop: AbortSignal): Promise<void> => {
    // This attempt answers the pokes so far. WebKit refuses every lock to a page that is being unloaded: an urgent poke
    // that is still set would skip the backoff below, and the loop would keep the page alive.
    wakeUp.clear();
    try {
      await lock.hold((signal) => workUntil(signal, stop), stop);
    } catch (error) {
      deps.log('sync-lock-failed', { error: error instanceof Error ? error.name : typeof error });
      shown.show({ phase: 'problem', problem: 'no-lock' });
      await wakeUp.wait({ delayMs: backoff.nextDelayMs(), isStubborn: true }, stop);
    }
  };

  /** Requests the lock again after it was stolen; only `stop` ends the loop. */
  const keepWorking = async (stop: AbortSignal): Promise<void> => {
    const unwatch = online.watch((isOnline) => {
      if (isOnline) wake('online');
      else if (isActive && shown.current().phase !== 'syncing') shown.show(offline);
    });
    while (!stop.aborted) await holdLock(stop);
    unwatch();
  };

  return {
    start: (): void => {
      if (stopping !== null) return;
      stopping = new AbortController();
      ended = keepWorking(stopping.signal);
    },
    /** Resolves when its runs have ended. */
    stop: async (): Promise<void> => {
      stopping?.abort();
      await ended;
      stopping = null;
    },
    /** Has sync run soon, here or in the tab that holds the lock. */
    poke: (reason: PokeReason): void => {
      wake(reason);
      if (!isActive) deps.passOn?.(reason);
    },
    /** The status of this coordinator. Only the one whose `isActive` is true knows the state of sync. */
    status: shown.current,
    /** Whether it holds the lock. */
    isActive: () => isActive,
    /** @returns a function that stops watching. */
    watch: shown.watch,
    /**
     * Runs once under the lock, documents before files, for a worker. @returns null if another context holds the lock, or
     * offline.
     */
    runOnce: async (stop?: AbortSignal): Promise<SyncOutcome | null> => {
      if (!online.isOnline()) return null;
      const outcomes: SyncOutcome[] = [];
      await lock.hold(async (signal) => {
        outcomes.push(await runShown(signal));
        if (fileless.has(outcomes[0]?.problem ?? null)) return;
        if (!(await outbox.runOnce(signal))) return;
        outcomes.push(await runShown(signal));
        // A file job completes only after the server has the edits that refer to the file.
        await outbox.runOnce(signal);
      }, stop ?? new AbortController().signal);
      return outcomes.at(-1) ?? null;
    },
  };
}
