import { createPageLocks } from '../../../replication/connectivity/page-locks.ts';
import { withSureAbort } from '../../../replication/connectivity/sure-abort.ts';
import type { LockManagerPort } from '../../../replication/connectivity/web-lock.ts';
import type { SessionLocks } from './session-only-sign-in.ts';

const hasWebLocks = 'locks' in navigator;

/** The lock manager. Web Locks are missing over plain http: each tab then syncs by itself. */
export const locks: LockManagerPort = hasWebLocks
  ? withSureAbort(navigator.locks)
  : createPageLocks();

/**
 * The locks of browser sessions. Without Web Locks a tab cannot know whether another one is still in a session, so no
 * lock is ever available and no session's data is removed.
 */
export const sessionLocks: SessionLocks = hasWebLocks
  ? navigator.locks
  : {
      request: async (name, { ifAvailable }, work) => work(ifAvailable === true ? null : { name }),
    };
