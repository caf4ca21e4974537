import type { SyncOverview } from '../../data/queries.ts';
import { syncProblemText } from '../../data/sync-problem.ts';
import type { SyncActivity } from '../../platform/session.ts';

/** `problem` is anything the owner may want to do something about. */
type StatusKind = 'synced' | 'syncing' | 'waiting' | 'offline' | 'problem';

export interface StatusWords {
  readonly kind: StatusKind;
  readonly text: string;
}

export interface StatusInput {
  readonly activity: SyncActivity;
  /** undefined until it has been read. */
  readonly overview: SyncOverview | undefined;
}

/** The whole of sync in a few words. */
export function statusWords({ activity, overview }: StatusInput): StatusWords {
  const { phase, problem } = activity;
  const waiting = overview?.waitingCount ?? 0;
  const parked = overview?.parkedCount ?? 0;
  if (phase === 'problem') return { kind: 'problem', text: syncProblemText(problem) };
  if (phase === 'offline') {
    return {
      kind: 'offline',
      text: waiting > 0 ? `Offline, ${String(waiting)} waiting` : 'Offline',
    };
  }
  if (phase === 'syncing' || phase === 'starting') {
    const part = overview?.fetchedPart ?? 0;
    return {
      kind: 'syncing',
      text: part > 0 ? `Fetching ${String(Math.floor(part * 100))} %` : 'Syncing',
    };
  }
  if (parked > 0) return { kind: 'problem', text: `${String(parked)} could not be sent` };
  if (waiting > 0) return { kind: 'waiting', text: `${String(waiting)} waiting` };
  // Nothing was ever compared with the server, or the files were not looked at: that is not "Synced" yet.
  if (overview?.fetchedOnce !== true || overview.files === null) {
    return { kind: 'syncing', text: 'Syncing' };
  }
  return { kind: 'synced', text: 'Synced' };
}
