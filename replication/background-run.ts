import type { OpenChannel } from '../store/rxdb/message-channel.ts';
import { pokeTabs } from './connectivity/status-relay.ts';
import type { Coordinator } from './documents/coordinator.ts';
import { withDeadline } from './firebase/deadline.ts';
import type { Clock, ExclusiveLock } from './ports.ts';

/** A tab that asked for this as it was closed holds its lock until it is gone. */
const closingMs = 3_000;

/** Databases that the browser clears while they are opened may never answer. */
export const openingMs = 10_000;

/**
 * One sync with no page: what the worker does when the browser says that there is a connection.
 *
 * - Tabs are told; if one of them syncs, that is all. It is looked at twice, as a tab may just be going.
 * - What is not on this device any more is not made again: an owner may have signed out since.
 * - The app's badge counts what is left.
 * - Databases that do not open in time end it: a page gets the lock.
 */
export interface BackgroundRunDeps {
  /** The owner whose sign-in is kept on this device. */
  readonly uid: string;
  /** Of that owner; resolves at once, without work, if somebody else has it. */
  readonly lock: ExclusiveLock;
  readonly openChannel: OpenChannel;
  readonly clock: Pick<Clock, 'after'>;
  readonly hasDatabase: (uid: string) => Promise<boolean>;
  /** @param lock is held already. */
  readonly open: (lock: ExclusiveLock) => Promise<BackgroundSync>;
  /** No page is there to tell what is left. Never rejects. */
  readonly showUnsent: (count: number) => Promise<void>;
}

export interface BackgroundSync {
  readonly coordinator: Pick<Coordinator, 'runOnce'>;
  /** Whether something waits still that another run could send. */
  hasMore(): Promise<boolean>;
  /** How much is on this device alone. */
  countUnsent(): Promise<number>;
  close(): Promise<void>;
}

/** `later`: the browser should ask again. */
export type BackgroundOutcome = 'done' | 'later';

async function openInTime(
  { open, clock }: BackgroundRunDeps,
  signal: AbortSignal,
): Promise<BackgroundSync> {
  const opening = open({ hold: (work) => work(signal) });
  try {
    return await withDeadline(clock, opening, openingMs);
  } catch (error) {
    // Should it open after all, nobody needs it any more.
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
    await deps.showUnsent(await sync.countUnsent());
    const isUnanswered = outcome === null || outcome.kind === 'transient';
    return isUnanswered || (await sync.hasMore()) ? 'later' : 'done';
  } finally {
    await sync.close();
  }
}

/** @returns null if somebody else syncs. */
async function runAlone(deps: BackgroundRunDeps): Promise<BackgroundOutcome | null> {
  const { uid, lock, hasDatabase } = deps;
  let outcome: BackgroundOutcome | null = null;
  await lock.hold(async (signal) => {
    outcome = (await hasDatabase(uid)) ? await runHolding(deps, signal) : 'done';
  }, new AbortController().signal);
  return outcome;
}

export async function runInBackground(deps: BackgroundRunDeps): Promise<BackgroundOutcome> {
  const { clock, uid, openChannel } = deps;
  pokeTabs(uid, openChannel);
  const outcome = await runAlone(deps);
  if (outcome !== null) return outcome;
  await new Promise<void>((resolve) => clock.after(closingMs, resolve));
  return (await runAlone(deps)) ?? 'done';
}
