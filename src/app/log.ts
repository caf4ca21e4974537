import type { Log } from '../../replication/ports.ts';

/** Logs an event for debugging, at the level that browsers hide by default. Events carry no content. */
export const consoleLog: Log = (event, details) => {
  // oxlint-disable-next-line no-console
  console.debug(`pawpals ${event}`, details ?? '');
};

/** Returns what a log tells of an error. */
export function reasonOf(error: unknown): { readonly reason: string } {
  return { reason: error instanceof Error ? error.name : 'unknown' };
}

/** Logs a warning that the operator of the app should see. Warnings carry no content either. */
export const consoleWarning: Log = (event, details) => {
  // oxlint-disable-next-line no-console
  console.warn(`pawpals ${event}`, details ?? '');
};
