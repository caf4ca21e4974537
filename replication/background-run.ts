import type { OpenChannel } from './connectivity/message-channel.ts';
import { pokeTabs } from './connectivity/status-relay.ts';
import type { Coordinator } from './documents/coordinator.ts';
import type { ExclusiveLock } from './ports.ts';

/**
 * One sync with no page: what the worker does when the browser says that there is a connection.
 *
 * - Tabs are told; if one of them syncs, that is all.
 * - What is not on this device any more is not made again: an owner may have signed out since.
 */
export interface BackgroundRunDeps {
  /** The owner whose sign-in is kept on this device. */
  readonly uid: string;
  /** Of that owner; resolves at once, without work, if somebody else has it. */
  readonly lock: ExclusiveLock;
  readonly openChannel: OpenChannel;
  readonly hasDatabase: (uid: string) => Promise<boolean>;
  /** @param lock is held already. */
  readonly open: (lock: ExclusiveLock) => Promise<BackgroundSync>;
}

export interface BackgroundSync {
  readonly coordinator: Pick<Coordinator, 'runOnce'>;
  /** Whether something waits still that another run could send. */
  hasMore(): Promise<boolean>;
  close(): Promise<void>;
}

/** `later`: the browser should ask again. */
export type BackgroundOutcome = 'done' | 'later';

async function runHolding(
  { open }: BackgroundRunDeps,
  signal: AbortSignal,
): Promise<BackgroundOutcome> {
  const sync = await open({ hold: (work) => work(signal) });
  try {
    const outcome = await sync.coordinator.runOnce(signal);
    const isUnanswered = outcome === null || outcome.kind === 'transient';
    return isUnanswered || (await sync.hasMore()) ? 'later' : 'done';
  } finally {
    await sync.close();
  }
}

export async function runInBackground(deps: BackgroundRunDeps): Promise<BackgroundOutcome> {
  const { uid, lock, hasDatabase } = deps;
  pokeTabs(uid, deps.openChannel);
  let outcome: BackgroundOutcome = 'done';
  await lock.hold(async (signal) => {
    if (await hasDatabase(uid)) outcome = await runHolding(deps, signal);
  }, new AbortController().signal);
  return outcome;
}
