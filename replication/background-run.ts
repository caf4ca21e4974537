import type { OpenChannel } from '../store/rxdb/message-channel.ts';
import type { WorkLeft } from './badge/work-left.ts';
import { linkAbort } from './connectivity/linked-abort.ts';
import { pingHolder } from './connectivity/lock-watch.ts';
import { pokeTabs } from './connectivity/status-relay.ts';
import type { Coordinator } from './documents/coordinator.ts';
import { withDeadline } from './firebase/deadline.ts';
import type { Clock, ExclusiveLock } from './ports.ts';

/** A tab that requested this run while it was closing holds its lock until it is gone. */
const closingMs = 3_000;

/** A database that the browser clears while it is being opened may never answer. */
export const openingMs = 10_000;

/** The channel on which a worker that takes over ends the run of the worker that it replaces. */
const takeOverChannel = 'pawpals-take-over';

export interface BackgroundRunDeps {
  /** The owner whose sign-in is kept on this device. */
  readonly uid: string;
  /** The lock of that owner. `hold` resolves at once, without calling `work`, if another context holds it. */
  readonly lock: ExclusiveLock;
  readonly openChannel: OpenChannel;
  readonly clock: Pick<Clock, 'after'>;
  readonly hasDatabase: (uid: string) => Promise<boolean>;
  /** @param lock is already held. */
  readonly open: (lock: ExclusiveLock) => Promise<BackgroundSync>;
  /** Shows the number of unsent items on the app's badge, since no page is open. Never rejects. */
  readonly showUnsent: (count: number) => Promise<void>;
}

export interface BackgroundSync {
  readonly coordinator: Pick<Coordinator, 'runOnce'>;
  readWorkLeft(): Promise<WorkLeft>;
  close(): Promise<void>;
}

/** `later`: the browser should fire the sync event again. */
export type BackgroundOutcome = 'done' | 'later';

async function openInTime(
  { open, clock }: BackgroundRunDeps,
  signal: AbortSignal,
): Promise<BackgroundSync> {
  const opening = open({ hold: (work) => work(signal) });
  try {
    return await withDeadline(clock, opening, openingMs);
  } catch (error) {
    // A late database is closed, since the run has ended.
    opening.then((late) => late.close()).catch(() => undefined);
    throw error;
  }
}

async function runHolding(
  deps: BackgroundRunDeps,
  signal: AbortSignal,
): Promise<BackgroundOutcome> {
  const sync = await openInTime(deps, signal);
  try {
    const outcome = await sync.coordinator.runOnce(signal);
    const { count, hasFilesLeft } = await sync.readWorkLeft();
    // A sign-out that has stolen the lock has also cleared the badge.
    if (!signal.aborted) await deps.showUnsent(count);
    const isUnanswered = outcome === null || outcome.kind === 'transient';
    return isUnanswered || hasFilesLeft ? 'later' : 'done';
  } finally {
    await sync.close();
  }
}

/** @returns null if another context holds the lock. */
async function runAlone(
  deps: BackgroundRunDeps,
  replaced: AbortSignal,
): Promise<BackgroundOutcome | null> {
  const { uid, lock, hasDatabase } = deps;
  let outcome: BackgroundOutcome | null = null;
  await lock.hold(async (lockLost) => {
    const either = linkAbort(lockLost, replaced);
    try {
      outcome = (await hasDatabase(uid)) ? await runHolding(deps, either.signal) : 'done';
    } finally {
      either.unlink();
    }
  }, replaced);
  return outcome;
}

/** Ends the run of the worker that this one is about to replace: the browser waits for its end. */
export function endRunOfOlderWorker(openChannel: OpenChannel): void {
  const channel = openChannel(takeOverChannel);
  channel.post('end');
  channel.close();
}

/**
 * Syncs once without a page: the worker calls it when the browser reports a connection.
 *
 * - It pokes the open tabs first; if one of them holds the lock, that tab syncs and this run does nothing. It tries the
 *   lock a second time after a pause, since the holder may be a tab that is closing. A holder that answers no ping
 *   meanwhile may be frozen, so that it does not sync.
 * - It never creates a database: if the owner has signed out since, there is nothing to sync.
 * - It sets the app's badge to the number of unsent items.
 * - It fails if the databases do not open in time, so that the lock is free for a page.
 * - It ends at its next step when a new version of the worker takes over.
 * @returns `later` if the server or the holder did not answer, sendable work is left, or a new version takes over.
 * @throws {RemoteError} `timeout` if the databases do not open in time.
 */
export async function runInBackground(deps: BackgroundRunDeps): Promise<BackgroundOutcome> {
  pokeTabs(deps.uid, deps.openChannel);
  const replaced = new AbortController();
  const channel = deps.openChannel(takeOverChannel);
  channel.listen(() => replaced.abort());
  const { signal } = replaced;
  try {
    let outcome = await runAlone(deps, signal);
    if (outcome === null) {
      let ofHolder: BackgroundOutcome = 'later';
      const stopListening = pingHolder(deps, () => (ofHolder = 'done'));
      await new Promise<void>((resolve) => {
        deps.clock.after(closingMs, resolve);
        signal.addEventListener('abort', () => resolve());
      });
      stopListening();
      outcome = (await runAlone(deps, signal)) ?? ofHolder;
    }
    return signal.aborted ? 'later' : outcome;
  } finally {
    channel.close();
  }
}
