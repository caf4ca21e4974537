import type { SyncOverview } from '../../data/queries/queries.ts';
import type { Live } from '../../lib/async/live.ts';
import type { SyncActivity } from '../../platform/auth/session.ts';

/** Asks the service worker to send unsent data while this page is offline or being left. */
export interface BackgroundRequests {
  /** Takes note of a write of this page, which is counted only later. */
  readonly onWritten: () => void;
  readonly follow: (activity: SyncActivity) => void;
  readonly close: () => void;
}

export interface BackgroundRequestsDeps {
  readonly overview: Live<Pick<SyncOverview, 'waitingCount'> | null | undefined>;
  /** Requests a background sync from the worker. Never rejects. */
  readonly request: () => Promise<void>;
  /** Has the worker start sending at once. */
  readonly handOver: () => void;
  /** @returns a function that stops watching. */
  readonly watchLeaving: (onLeave: () => void) => () => void;
}

/**
 * Creates requests for background sync, for when this page cannot be relied on to send: while there is no connection,
 * and when the page is left before everything is sent. A page that syncs makes no requests.
 */
export function createBackgroundRequests(deps: BackgroundRequestsDeps): BackgroundRequests {
  const { overview, request, handOver } = deps;
  let isConnected = true;
  let isSyncing = false;
  /** Whether this page has written something since the last sync ended. */
  let hasWritten = false;
  let askedFor = 0;

  const waitingCount = (): number => overview.getSnapshot()?.waitingCount ?? 0;
  const ask = (): void => {
    askedFor = waitingCount();
    if (askedFor > 0 || hasWritten) void request();
  };
  const leave = (): void => {
    ask();
    // A write of another tab may be in flight before it is counted, so a running sync hands over as well.
    if (askedFor > 0 || hasWritten || isSyncing) handOver();
  };
  /** Requests again only for additional writes. Each request outlives the page, and covers all that is unsent. */
  const askForNew = (): void => {
    if (waitingCount() < askedFor) askedFor = waitingCount();
    if (!isConnected && waitingCount() > askedFor) ask();
  };

  const stops = [overview.subscribe(askForNew), deps.watchLeaving(leave)];
  return {
    onWritten: () => {
      hasWritten = true;
    },
    follow: ({ phase }) => {
      const wasConnected = isConnected;
      if (isSyncing && phase === 'idle') hasWritten = false;
      isSyncing = phase === 'syncing';
      isConnected = phase === 'idle' || isSyncing;
      if (wasConnected && !isConnected) ask();
    },
    close: () => {
      for (const stop of stops) stop();
    },
  };
}
