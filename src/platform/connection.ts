import { useWatched } from '../lib/react/use-watched.ts';

/**
 * What the browser says of its connection. "Offline" can be believed; "online" promises nothing: Chromium up to 150 says it
 * after a navigation without a connection, and every browser on a network that leads nowhere. It decides only whether an
 * attempt is worth making, since a failed attempt can be renewed only by another one.
 */
export const browserOnlineSignal = {
  isOnline: (): boolean => navigator.onLine,
  /** @returns a function that stops watching. */
  watch: (onChange: (online: boolean) => void): (() => void) => {
    const report = (): void => onChange(navigator.onLine);
    window.addEventListener('online', report);
    window.addEventListener('offline', report);
    return () => {
      window.removeEventListener('online', report);
      window.removeEventListener('offline', report);
    };
  },
};

/**
 * What the app knows of its connection: the one source for all that it says and offers.
 *
 * - It is online unless the browser says otherwise, or the latest request got no answer.
 * - The next answer, or the browser's report of a new connection, makes it online again.
 */
export interface Connection {
  readonly isOnline: () => boolean;
  /** A request was answered, or was not. */
  readonly note: (isAnswered: boolean) => void;
  /** @returns a function that stops watching. */
  readonly watch: (onChange: (online: boolean) => void) => () => void;
}

export function createConnection(signal: typeof browserOnlineSignal): Connection {
  const watchers = new Set<(online: boolean) => void>();
  let wasAnswered = true;

  const isOnline = (): boolean => wasAnswered && signal.isOnline();
  const tell = (): void => {
    for (const watcher of watchers) watcher(isOnline());
  };
  signal.watch((isBack) => {
    wasAnswered ||= isBack;
    tell();
  });
  return {
    isOnline,
    note: (isAnswered) => {
      if (isAnswered === wasAnswered) return;
      wasAnswered = isAnswered;
      tell();
    },
    watch: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
  };
}

export const connection: Connection = createConnection(browserOnlineSignal);

export function useIsOnline(): boolean {
  return useWatched(connection.watch, connection.isOnline);
}
