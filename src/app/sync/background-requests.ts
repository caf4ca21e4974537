import type { SyncOverview } from '../../data/queries/queries.ts';
import type { Live } from '../../lib/async/live.ts';
import type { SyncActivity } from '../../platform/auth/session.ts';

/**
 * Has the worker send what waits when this page cannot be relied on to do so: while there is no connection, and when the
 * page is left before everything was sent. A page that syncs needs no worker.
 */
export interface BackgroundRequests {
  readonly follow: (activity: SyncActivity) => void;
  readonly close: () => void;
}

export interface BackgroundRequestsDeps {
  readonly overview: Live<Pick<SyncOverview, 'waitingCount'> | null | undefined>;
  /** Never rejects. */
  readonly request: () => Promise<void>;
  /** Has the worker go on at once. */
  readonly handOver: () => void;
  /** @returns a function that stops watching. */
  readonly watchLeaving: (onLeave: () => void) => () => void;
}

export function createBackgroundRequests(deps: BackgroundRequestsDeps): BackgroundRequests {
  const { overview, request, handOver } = deps;
  let isConnected = true;
  let isSyncing = false;
  let askedFor = 0;

  const waitingCount = (): number => overview.getSnapshot()?.waitingCount ?? 0;
  const ask = (): void => {
    askedFor = waitingCount();
    if (askedFor > 0) void request();
  };
  const leave = (): void => {
    ask();
    // What was written in the last moment is sent before it is counted.
    if (askedFor > 0 || isSyncing) handOver();
  };
  /** Each request outlives the page, so one for everything that waits is enough. */
  const askForNew = (): void => {
    if (waitingCount() < askedFor) askedFor = waitingCount();
    if (!isConnected && waitingCount() > askedFor) ask();
  };

  const stops = [overview.subscribe(askForNew), deps.watchLeaving(leave)];
  return {
    follow: ({ phase }) => {
      const wasConnected = isConnected;
      isSyncing = phase === 'syncing';
      isConnected = phase === 'idle' || isSyncing;
      if (wasConnected && !isConnected) ask();
    },
    close: () => {
      for (const stop of stops) stop();
    },
  };
}
