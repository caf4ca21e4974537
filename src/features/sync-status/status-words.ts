import type { SyncOverview } from '../../data/queries.ts';
import type { SyncActivity } from '../../platform/session.ts';

/** `problem` is anything the owner may want to do something about. */
type StatusKind = 'synced' | 'syncing' | 'waiting' | 'offline' | 'problem';

export interface StatusWords {
  readonly kind: StatusKind;
  readonly text: string;
}

const problemTexts: Readonly<Record<string, string>> = {
  'not-firestore': 'The connection answers with something else, perhaps a Wi-Fi sign-in page',
  'account-refused': 'The server refuses this account. Nothing is lost on this device',
  unauthenticated: 'Sign in again to sync',
};

const unreachable = 'The server cannot be reached. This is tried again by itself';

function problemText(code: string | null): string {
  return problemTexts[code ?? ''] ?? unreachable;
}

/** The whole of sync in a few words. @param overview undefined until it has been read. */
export function statusWords(
  { phase, problem }: SyncActivity,
  overview: SyncOverview | undefined,
): StatusWords {
  const waiting = overview?.waitingCount ?? 0;
  const parked = (overview?.parkedPets.length ?? 0) + (overview?.parkedEntries.length ?? 0);
  if (phase === 'problem') return { kind: 'problem', text: problemText(problem) };
  if (phase === 'offline') {
    return {
      kind: 'offline',
      text: waiting > 0 ? `Offline, ${String(waiting)} waiting` : 'Offline',
    };
  }
  if (phase === 'syncing') return { kind: 'syncing', text: 'Syncing' };
  if (parked > 0) return { kind: 'problem', text: `${String(parked)} could not be sent` };
  if (waiting > 0) return { kind: 'waiting', text: `${String(waiting)} waiting` };
  // Nothing was ever compared with the server: that is not "Synced" yet.
  if (overview?.fetchedOnce !== true) return { kind: 'syncing', text: 'Syncing' };
  return { kind: 'synced', text: 'Synced' };
}
