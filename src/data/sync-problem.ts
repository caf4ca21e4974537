const kept = 'Nothing is lost on this device.';
const triedAgain = 'This is tried again by itself.';

const problemTexts: Readonly<Record<string, string>> = {
  'not-firestore': 'The connection answers with something else, perhaps a Wi-Fi sign-in page.',
  'account-refused': `The server refuses this account. ${kept}`,
  unauthenticated: 'Sign in again to sync',
  'resource-exhausted': `The server takes no more from you for now. ${kept} ${triedAgain}`,
  defect: 'This device could not read or store something. Free some space and reload the page.',
  'no-lock': 'This tab cannot sync. Close other PawPals tabs and reload.',
};

/** The beginnings of the codes of requests without an answer. */
const unreachable = /^(unavailable|timeout|network|deadline)/;

/** The beginnings of the codes after which the same request would be refused again. */
const refused = /^(permission|invalid|failed|not-found|out-of|unimplemented|data-loss)/;

/**
 * Returns a sentence for the owner about why sync stopped. @param code of replication's `RemoteError` or of the app.
 */
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

/** Explains why data that this device has never had is missing; null while it is being fetched. */
export function whyNotFetched({ phase, problem }: Activity): string | null {
  if (problem !== null && !unreachable.test(problem)) return syncProblemText(problem);
  return phase === 'offline' || phase === 'problem' ? 'Not fetched yet, needs a connection' : null;
}

const offlineAnswer =
  'There is no connection. What waits is kept here, and is sent with the next one.';

/**
 * Returns the progress or the problem after "Sync now" was pressed; null once the run over the documents has ended.
 * Files may still be sent then.
 * @param offline the sentence while there is no connection.
 */
export function syncNowAnswer(
  { phase, problem }: Activity,
  offline = offlineAnswer,
): string | null {
  if (phase === 'offline') return offline;
  if (phase === 'problem') return syncProblemText(problem);
  return phase === 'idle' ? null : 'Syncing…';
}
