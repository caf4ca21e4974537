import { hasWorkLeft, isUnsent, type OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { noEngineCode } from '../../../schemas/transcription.ts';
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
  readonly overview: Live<Pick<SyncOverview, 'waitingCount' | 'hiddenCount'>>;
  /** All jobs of the outbox. */
  readonly jobs: Live<readonly OutboxJob[]>;
  /** Requests a background sync from the worker. Never rejects. */
  readonly request: () => Promise<void>;
  /** Has the worker start sending at once. */
  readonly handOver: () => void;
  /** @returns a function that stops watching. */
  readonly watchLeaving: (onLeave: () => void) => () => void;
}

/** Whether the server has its file, and still owes something, as its transcript. A server without an engine owes none. */
function isOwed(job: OutboxJob): boolean {
  return hasWorkLeft(job) && !isUnsent(job) && job.code !== noEngineCode;
}

/**
 * Creates requests for background sync, for when this page cannot be relied on to send: while there is no connection,
 * and when the page is left before everything is sent. A page that syncs makes no requests.
 */
export function createBackgroundRequests(deps: BackgroundRequestsDeps): BackgroundRequests {
  const { overview, jobs, request, handOver } = deps;
  let isConnected = true;
  let isSyncing = false;
  /** Whether this page has written something since the last sync ended. */
  let hasWritten = false;
  let askedFor = 0;

  /** The number of what the worker could do, of which the overview counts a part. */
  const workCount = (): number => {
    const { waitingCount = 0, hiddenCount = 0 } = overview.getSnapshot() ?? {};
    return waitingCount + hiddenCount + (jobs.getSnapshot() ?? []).filter(isOwed).length;
  };
  const ask = (): void => {
    askedFor = workCount();
    if (askedFor > 0 || hasWritten) void request();
  };
  const leave = (): void => {
    ask();
    // A write of another tab may be in flight before it is counted, so a running sync hands over as well.
    if (askedFor > 0 || hasWritten || isSyncing) handOver();
  };
  /** Requests again only for additional writes. Each request outlives the page, and covers all that is unsent. */
  const askForNew = (): void => {
    if (workCount() < askedFor) askedFor = workCount();
    if (!isConnected && workCount() > askedFor) ask();
  };

  const stops = [
    overview.subscribe(askForNew),
    jobs.subscribe(askForNew),
    deps.watchLeaving(leave),
  ];
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
