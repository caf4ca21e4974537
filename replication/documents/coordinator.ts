import type { PokeReason, SyncStatus } from '../../schemas/local/relay-message.ts';
import { createBackoff, type Backoff } from '../connectivity/backoff.ts';
import { linkAbort } from '../connectivity/linked-abort.ts';
import type { Clock, ExclusiveLock, Log, OnlineSignal } from '../ports.ts';
import type { SyncEngine } from './sync-engine.ts';
import type { SyncOutcome } from './sync-run.ts';
import { createWakeUp, type WakeReason, type WakeUp } from './wake-up.ts';

/**
 * Decides when to sync.
 *
 * - Syncs only while it holds the lock of this owner, and never twice at once.
 * - A poke that comes while a run is under way is answered by another run: nothing written is left waiting.
 * - Offline it waits without asking the server.
 * - Transient problems are tried again with growing pauses, others when something changes, or with the slow timer.
 * - Once stopped, or robbed of its lock, a run ends at its next step.
 */
export interface Coordinator {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
  poke(reason: PokeReason): void;
  /** Of this coordinator; only the one that {@link isActive} knows how sync is doing. */
  status(): SyncStatus;
  /** It holds the lock. */
  isActive(): boolean;
  /** @returns a function that stops watching. */
  watch(onChange: (status: SyncStatus) => void): () => void;
  /** One run under the lock, files after documents, for a worker. @returns null if the lock was not to be had, or there is no connection. */
  runOnce(stop?: AbortSignal): Promise<SyncOutcome | null>;
}

export interface CoordinatorDeps {
  readonly engine: SyncEngine;
  /** Files, under the same lock, each time the documents are done. */
  readonly outbox?: OutboxWorker;
  readonly lock: ExclusiveLock;
  readonly clock: Clock;
  readonly online: OnlineSignal;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** Brings files to the server. Beside the documents, not between them: an upload of minutes holds up no note. */
export interface OutboxWorker {
  /** Works until aborted: after each run that reached the server, and when a pause between attempts is over. Never rejects. */
  work(signal: AbortSignal): Promise<void>;
  poke(reason: WakeReason): void;
  /** One pass, for a worker. Never rejects. @returns true if it has edited documents. */
  runOnce(signal: AbortSignal): Promise<boolean>;
}

/** The bell may be deaf (a proxy, a sleeping tab): an owner who looks at the screen sees changes at least this often. */
export const slowTimerMs = 5 * 60_000;

/** Codes that mean the server was not reached, which for an owner is the same as being offline. */
const unreachableCodes: ReadonlySet<string | null> = new Set(['unavailable', 'timeout', 'network']);

const idle: SyncStatus = { phase: 'idle', problem: null };
const offline: SyncStatus = { phase: 'offline', problem: null };
const syncing: SyncStatus = { phase: 'syncing', problem: null };

function statusAfter({ kind, problem }: SyncOutcome): SyncStatus {
  if (kind === 'none' || kind === 'stopped') return idle;
  const isUnreachable = kind === 'transient' && unreachableCodes.has(problem);
  return { phase: isUnreachable ? 'offline' : 'problem', problem };
}

/** Outcomes after which files have no chance either, or may not be touched. Documents that are stuck hold up no file. */
const fileless: ReadonlySet<string | null> = new Set([
  ...unreachableCodes,
  'not-firestore',
  'unauthenticated',
  'account-refused',
  'stopped',
]);

interface Shown {
  readonly current: () => SyncStatus;
  readonly show: (status: SyncStatus) => void;
  readonly watch: Coordinator['watch'];
}

function createShown(): Shown {
  let shown = idle;
  const watchers = new Set<(status: SyncStatus) => void>();
  return {
    current: () => shown,
    show: (next) => {
      if (next.phase === shown.phase && next.problem === shown.problem) return;
      shown = next;
      for (const watcher of watchers) watcher(next);
    },
    watch: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
  };
}

export function createCoordinator(deps: CoordinatorDeps): Coordinator {
  const { engine, outbox, lock, online, clock } = deps;
  const shown = createShown();
  const wakeUp: WakeUp = createWakeUp(clock);
  const backoff: Backoff = createBackoff({ random: deps.random });
  let stopping: AbortController | null = null;
  let ended: Promise<void> = Promise.resolve();
  let isActive = false;

  const runShown = async (signal: AbortSignal): Promise<SyncOutcome> => {
    shown.show(syncing);
    const outcome = await engine.run(signal);
    shown.show(online.isOnline() ? statusAfter(outcome) : offline);
    if (!fileless.has(outcome.problem)) outbox?.poke('documents');
    return outcome;
  };

  const poke = (reason: PokeReason): void => {
    outbox?.poke(reason);
    wakeUp.poke(reason);
  };

  /** One run and the wait until the next. */
  const turn = async (signal: AbortSignal): Promise<void> => {
    wakeUp.clear();
    if (!online.isOnline()) {
      shown.show(offline);
      await wakeUp.wait({ delayMs: null, isStubborn: true }, signal);
      return;
    }
    const outcome = await runShown(signal);
    if (outcome.kind === 'transient') {
      await wakeUp.wait({ delayMs: backoff.nextDelayMs(), isStubborn: true }, signal);
      return;
    }
    backoff.reset();
    await wakeUp.wait({ delayMs: slowTimerMs, isStubborn: false }, signal);
  };

  const work = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) await turn(signal);
  };

  const workUntil = async (robbed: AbortSignal, stop: AbortSignal): Promise<void> => {
    const either = linkAbort(robbed, stop);
    isActive = true;
    deps.log('sync-lock-held');
    await Promise.all([work(either.signal), outbox?.work(either.signal)]);
    isActive = false;
    either.unlink();
    shown.show(idle);
  };

  const holdLock = async (stop: AbortSignal): Promise<void> => {
    // This attempt answers the pokes so far. WebKit refuses every lock to a page that is being left: with an urgent poke
    // kept, the pause below would never come, and the page would never end.
    wakeUp.clear();
    try {
      await lock.hold((signal) => workUntil(signal, stop), stop);
    } catch (error) {
      deps.log('sync-lock-failed', { error: error instanceof Error ? error.name : typeof error });
      shown.show({ phase: 'problem', problem: 'no-lock' });
      await wakeUp.wait({ delayMs: backoff.nextDelayMs(), isStubborn: true }, stop);
    }
  };

  /** A robbed lock is waited for again; only `stop` ends it. */
  const keepWorking = async (stop: AbortSignal): Promise<void> => {
    const unwatch = online.watch((isOnline) => {
      if (isOnline) poke('online');
      else if (isActive && shown.current().phase !== 'syncing') shown.show(offline);
    });
    while (!stop.aborted) await holdLock(stop);
    unwatch();
  };

  return {
    start: () => {
      if (stopping !== null) return;
      stopping = new AbortController();
      ended = keepWorking(stopping.signal);
    },
    stop: async () => {
      stopping?.abort();
      await ended;
      stopping = null;
    },
    poke,
    status: shown.current,
    isActive: () => isActive,
    watch: shown.watch,
    runOnce: async (stop = new AbortController().signal) => {
      if (!online.isOnline()) return null;
      const outcomes: SyncOutcome[] = [];
      await lock.hold(async (signal) => {
        outcomes.push(await runShown(signal));
        if (outbox === undefined || fileless.has(outcomes[0]?.problem ?? null)) return;
        if (!(await outbox.runOnce(signal))) return;
        outcomes.push(await runShown(signal));
        // Files end once the server knows of the edits that tell of them.
        await outbox.runOnce(signal);
      }, stop);
      return outcomes.at(-1) ?? null;
    },
  };
}
