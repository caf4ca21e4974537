import { openBroadcastChannel, type OpenChannel } from '../../../store/rxdb/message-channel.ts';
import { createPageLocks } from '../../../replication/connectivity/page-locks.ts';
import type { LockManagerPort } from '../../../replication/connectivity/web-lock.ts';
import type { SessionLocks } from './session-only-sign-in.ts';

const hasWebLocks = 'locks' in navigator;

/** The lock manager. Web Locks are missing over plain http: each tab then syncs by itself. */
export const locks: LockManagerPort = hasWebLocks ? navigator.locks : createPageLocks();

/**
 * The locks of browser sessions. Without Web Locks a tab cannot know whether another one is still in a session, so no
 * lock is ever available and no session's data is removed.
 */
export const sessionLocks: SessionLocks = hasWebLocks
  ? navigator.locks
  : {
      request: async (name, { ifAvailable }, work) => work(ifAvailable === true ? null : { name }),
    };

const keyPrefix = 'pawpals-channel:';

/** Opens a channel over the events of web storage, which reach every tab but the sender's. A message is JSON. */
const openStorageChannel: OpenChannel = (name) => {
  const key = keyPrefix + name;
  const closing = new AbortController();
  return {
    post: (message) => {
      try {
        localStorage.setItem(key, JSON.stringify(message));
        localStorage.removeItem(key);
      } catch {
        // The message does not fit into web storage. Other tabs read the change later by themselves.
      }
    },
    listen: (onMessage) => {
      const receive = (event: StorageEvent): void => {
        if (event.key === key && event.newValue !== null) onMessage(JSON.parse(event.newValue));
      };
      window.addEventListener('storage', receive, { signal: closing.signal });
    },
    close: () => closing.abort(),
  };
};

/** Opens a channel between tabs, also in browsers without `BroadcastChannel`. */
export const openChannel: OpenChannel =
  'BroadcastChannel' in globalThis ? openBroadcastChannel : openStorageChannel;
