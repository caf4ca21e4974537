import type { Log } from '../../replication/ports.ts';

/** Logs an event for debugging, at the level that browsers hide by default. Events carry no content. */
export const consoleLog: Log = (event, details) => {
  // oxlint-disable-next-line no-console
  console.debug(`pawpals ${event}`, details ?? '');
};

/** Logs a warning that the operator of the app should see. Warnings carry no content either. */
export const consoleWarning: Log = (event, details) => {
  // oxlint-disable-next-line no-console
  console.warn(`pawpals ${event}`, details ?? '');
};
