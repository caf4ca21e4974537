const kept = 'Nothing is lost on this device';
const triedAgain = 'This is tried again by itself';

const problemTexts: Readonly<Record<string, string>> = {
  'not-firestore': 'The connection answers with something else, perhaps a Wi-Fi sign-in page',
  'account-refused': `The server refuses this account. ${kept}`,
  unauthenticated: 'Sign in again to sync',
  'resource-exhausted': `The server takes no more from you for now. ${kept}. ${triedAgain}`,
  defect: 'This device could not read or store something. Free some space and reload the page',
  'no-lock': 'This tab cannot sync. Close other PawPals tabs and reload',
};

/** No answer came. */
const unreachable = /^(unavailable|timeout|network|deadline)/;

/** Beginnings of the codes after which the same request would be refused again. */
const refused = /^(permission|invalid|failed|not-found|out-of|unimplemented|data-loss)/;

/** Why sync does not go on, for the owner. @param code of replication's `RemoteError` or of ours. */
export function syncProblemText(code: string | null): string {
  const known = code ?? '';
  if (unreachable.test(known)) return `The server cannot be reached. ${triedAgain}`;
  if (refused.test(known)) return `The server refuses to sync (${known}). ${kept}`;
  return problemTexts[known] ?? `Sync did not work. ${triedAgain}`;
}

interface Activity {
  readonly phase: string;
  readonly problem: string | null;
}

/** Why what this device has never seen does not come; null while it is on its way. */
export function whyNotFetched({ phase, problem }: Activity): string | null {
  if (phase === 'problem' && !unreachable.test(problem ?? '')) return syncProblemText(problem);
  return phase === 'offline' || phase === 'problem' ? 'Not fetched yet, needs a connection' : null;
}

/** What pressing "Sync now" has come to, while it has not come to an end; null once all is well. */
export function syncNowAnswer({ phase, problem }: Activity): string | null {
  if (phase === 'offline') {
    return 'There is no connection. What waits is kept here, and is sent with the next one.';
  }
  if (phase === 'problem') return syncProblemText(problem);
  return phase === 'idle' ? null : 'Syncing…';
}
