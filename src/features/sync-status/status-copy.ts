import type { SyncOverview } from '../../data/queries/queries.ts';
import { syncProblemText } from '../../data/sync-problem.ts';
import type { SyncActivity } from '../../platform/auth/session.ts';

/** The kinds of status. `problem` is a state that the owner may want to act on. */
type StatusKind = 'synced' | 'syncing' | 'waiting' | 'offline' | 'problem';

export interface StatusCopy {
  readonly kind: StatusKind;
  readonly text: string;
  /**
   * The visible part beside the icon: nothing if all is well, or else the whole text, or the number of unsent changes.
   */
  readonly seen: 'nothing' | 'all' | number;
}

export interface StatusInput {
  readonly activity: SyncActivity;
  /** The overview; undefined until it is read. */
  readonly overview: SyncOverview | undefined;
  /** The number of parked items that it tells of. */
  readonly parkedCount: number;
}

const inFull = (kind: StatusKind, text: string): StatusCopy => ({ kind, text, seen: 'all' });

const quietly = (kind: StatusKind, text: string): StatusCopy => ({ kind, text, seen: 'nothing' });

/** Returns the state of sync in a few words. */
export function statusCopy({ activity, overview, parkedCount }: StatusInput): StatusCopy {
  const { phase, problem } = activity;
  const waiting = overview?.waitingCount ?? 0;
  if (phase === 'offline') {
    if (waiting === 0) return inFull('offline', 'Offline');
    const text = `Offline, ${String(waiting)} waiting`;
    return { kind: 'offline', text, seen: waiting };
  }
  if (phase === 'problem' || problem !== null) {
    return inFull('problem', syncProblemText(problem));
  }
  // Also during a sync, since the page would move with each one.
  if (parkedCount > 0) return inFull('problem', `${String(parkedCount)} could not be sent`);
  if (phase === 'starting' || phase === 'syncing') {
    const part = overview?.fetchedPart ?? 0;
    return part > 0
      ? inFull('syncing', `Fetching ${String(Math.floor(part * 100))} %`)
      : quietly('syncing', 'Syncing');
  }
  if (waiting > 0) return quietly('waiting', `${String(waiting)} waiting`);
  // The status is not "Synced" before the first complete fetch, or before the files are read.
  if (overview?.fetchedOnce !== true || overview.files === null) {
    return quietly('syncing', 'Syncing');
  }
  return quietly('synced', 'Synced');
}
