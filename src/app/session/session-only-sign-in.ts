import type { Log } from '../../../replication/ports.ts';
import type { QueuedErasureOutcome } from '../../../replication/connectivity/erase-under-lock.ts';
import {
  sessionOnlyOwners,
  forgetSessionOnlyOwner,
} from '../../platform/auth/session-only-owners.ts';
import { reasonOf } from '../log.ts';
import { forgetTraces } from './erasure.ts';

/** The sign-ins that end with the browser session. */
export interface SessionOnlySignIns {
  /** Takes the shared lock of that owner. Resolves when their data may be opened. */
  hold(uid: string): Promise<void>;
  /** Erases the data of ended sessions; an owner whose data cannot be read does not block the others. @param except the signed-in owner. */
  clearEnded(except: string | null): Promise<void>;
}

/** The part of `navigator.locks` that is used here. */
export interface SessionLocks {
  request(
    name: string,
    options: { readonly mode?: 'shared'; readonly ifAvailable?: boolean },
    work: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

export interface SessionOnlySignInsDeps {
  readonly locks: SessionLocks;
  readonly log: Log;
  readonly eraseDatabase: (uid: string) => Promise<QueuedErasureOutcome>;
  /** Erases the items that other apps shared with that owner. */
  readonly eraseShares: (uid: string) => Promise<void>;
  /** Whether this device holds unsent data of that owner. */
  readonly hasUnsent: (uid: string) => Promise<boolean>;
}

const nothingHeld = (): void => undefined;
const lockName = (uid: string): string => `pawpals:session:${uid}`;

/**
 * Creates the handling of sign-ins that end with the browser session. No event marks that end, so the data is erased at
 * a later start.
 *
 * - A tab holds a shared lock for as long as it lives; while any tab does, the session has not ended.
 * - An owner who signs in during an erasure waits for its end, and then begins with an empty database.
 * - Unsent data is never erased here, nor is data that could not be read.
 */
export function createSessionOnlySignIns(deps: SessionOnlySignInsDeps): SessionOnlySignIns {
  const { locks, log, eraseDatabase, eraseShares, hasUnsent } = deps;
  let letGo = nothingHeld;

  const clear = async (uid: string): Promise<void> => {
    // The owner may have come back to stay signed in.
    if (!sessionOnlyOwners().includes(uid) || (await hasUnsent(uid))) return;
    forgetTraces(uid);
    if ((await eraseDatabase(uid)) !== 'erased') return;
    await eraseShares(uid);
    forgetSessionOnlyOwner(uid);
  };

  return {
    hold: (uid) => {
      letGo();
      return new Promise((resolve, reject) => {
        locks
          .request(lockName(uid), { mode: 'shared' }, () => {
            resolve();
            return new Promise<void>((release) => {
              letGo = release;
            });
          })
          .catch(reject);
      });
    },
    clearEnded: async (except) => {
      for (const uid of sessionOnlyOwners().filter((each) => each !== except)) {
        try {
          await locks.request(lockName(uid), { ifAvailable: true }, (lock) =>
            lock === null ? undefined : clear(uid),
          );
        } catch (error) {
          log('session-not-cleared', reasonOf(error));
        }
      }
    },
  };
}
