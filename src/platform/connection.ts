import { useLive } from '../lib/async/live.ts';
import { createObservable, type Observed } from '../lib/async/observable.ts';

/**
 * The browser's report about its connection. "Offline" is reliable; "online" is not: Chromium up to 150 reports it
 * after a navigation without a connection, and every browser on a network without internet access. The report decides
 * only whether an attempt is worthwhile, because only another attempt can follow a failed one.
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

/** The app's state of its connection, which all screens use. */
export interface Connection {
  readonly isOnline: () => boolean;
  /** Notes whether the latest request was answered. */
  readonly note: (isAnswered: boolean) => void;
  /** @returns a function that stops watching. */
  readonly watch: (onChange: (online: boolean) => void) => () => void;
}

/**
 * Creates the one source for whether the app is online.
 *
 * - It is online unless the browser says otherwise, or the latest request got no answer.
 * - The next answer, or the browser's report of a new connection, makes it online again.
 */
export function createConnection(signal: typeof browserOnlineSignal): Connection {
  let wasAnswered = true;
  const isOnline = (): boolean => wasAnswered && signal.isOnline();
  const online = createObservable(isOnline());
  const tell = (): void => online.set(isOnline());
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
    watch: (onChange) => online.subscribe(() => onChange(online.getSnapshot())),
  };
}

export const connection: Connection = createConnection(browserOnlineSignal);

const observed: Observed<boolean> = {
  getSnapshot: connection.isOnline,
  subscribe: connection.watch,
};

export function useIsOnline(): boolean {
  return useLive(observed);
}
