import type { Log } from '../../replication/ports.ts';

/** Events for whoever looks into a problem, at the level that browsers hide by default. Never content. */
export const consoleLog: Log = (event, details) => {
  // oxlint-disable-next-line no-console
  console.debug(`pawpals ${event}`, details ?? '');
};

/** What whoever runs the app should see. Never content either. */
export const consoleWarning: Log = (event, details) => {
  // oxlint-disable-next-line no-console
  console.warn(`pawpals ${event}`, details ?? '');
};
