import type { ErasureOutcome } from '../../../store/erase.ts';
import { eraseDrafts } from '../../lib/draft.ts';
import { forgetDeviceMarker } from '../../platform/storage/device-marker.ts';
import { forgetDismissedHints } from '../../platform/storage/dismissed-hints.ts';
import { briefOwners, forgetBriefOwner } from '../../platform/auth/session-only-owners.ts';

/**
 * Sign-ins that end with the browser session: nothing tells when that is, so what they leave behind goes at the next start.
 *
 * - A tab holds a shared lock for as long as it lives; while any tab does, the session has not ended.
 * - Who comes back meanwhile waits until the clearing has ended, and then begins with an empty database.
 * - What was not sent is never erased here, and neither is what could not be read.
 */
export interface SessionOnlySignIns {
  /** Resolves when the data of that owner may be opened. */
  hold(uid: string): Promise<void>;
  letGo(): void;
  /** Erases what ended sessions have left. @param except the owner who is here now. */
  clearEnded(except: string | null): Promise<void>;
}

/** `navigator.locks`, as far as it is used here. */
export interface SessionLocks {
  request(
    name: string,
    options: { readonly mode?: 'shared'; readonly ifAvailable?: boolean },
    work: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

export interface SessionOnlySignInsDeps {
  readonly locks: SessionLocks;
  readonly eraseDatabase: (uid: string) => Promise<ErasureOutcome>;
  /** Whether this device alone has something of that owner. */
  readonly hasUnsent: (uid: string) => Promise<boolean>;
}

const nothingHeld = (): void => undefined;
const lockName = (uid: string): string => `pawpals:session:${uid}`;

export function createSessionOnlySignIns(deps: SessionOnlySignInsDeps): SessionOnlySignIns {
  const { locks, eraseDatabase, hasUnsent } = deps;
  let letGo = nothingHeld;

  const clear = async (uid: string): Promise<void> => {
    if (await hasUnsent(uid)) return;
    eraseDrafts(uid);
    forgetDeviceMarker(uid);
    forgetDismissedHints(uid);
    if ((await eraseDatabase(uid)) === 'erased') forgetBriefOwner(uid);
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
    letGo: () => letGo(),
    clearEnded: async (except) => {
      for (const uid of briefOwners().filter((each) => each !== except)) {
        await locks.request(lockName(uid), { ifAvailable: true }, (lock) =>
          lock === null ? undefined : clear(uid),
        );
      }
    },
  };
}
