import type { createStore } from 'jotai';
import { openFirestore } from '../../../replication/firebase/firestore-documents.ts';
import { readOrganizations as read } from '../../../replication/firebase/organizations.ts';
import {
  queueErasure as reserve,
  type QueuedErasure,
} from '../../../replication/connectivity/erase-under-lock.ts';
import { eraseShares } from '../../../replication/shares/share-store.ts';
import type { Organization } from '../../../schemas/documents/organization.ts';
import type { Data } from '../../data/data-context.ts';
import { readUnsent } from '../../data/unsent-work.ts';
import { sessionOnlyOwners } from '../../platform/auth/session-only-owners.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { toastsOf } from '../../platform/toasts.ts';
import { locks, sessionLocks } from '../session/tab-locks.ts';
import {
  createSessionOnlySignIns,
  type SessionOnlySignIns,
} from '../session/session-only-sign-in.ts';
import { firebaseConfigOfBuild } from '../firebase-config.ts';
import { consoleLog } from '../log.ts';
import { loadAuth } from './lazy-services.ts';
import { hasUnsentOnDevice } from '../session/unsent-on-device.ts';

/** The services of the session controller that most visits do not need, in one chunk. */
export { eraseShares };

/** Reads all organizations. @throws {AuthError} {RemoteError} without a connection, or if the server refuses. */
export async function readOrganizations(): Promise<readonly Organization[]> {
  const service = await loadAuth();
  await service.ready();
  return read(openFirestore(firebaseConfigOfBuild()), systemClock);
}

export function queueErasure(uid: string, isStillNoted: () => boolean): QueuedErasure {
  return reserve(uid, { locks, clock: systemClock, isStillNoted });
}

let sessionOnlySignIns: SessionOnlySignIns | null = null;

export function openSessionOnlySignIns(): SessionOnlySignIns {
  sessionOnlySignIns ??= createSessionOnlySignIns({
    locks: sessionLocks,
    log: consoleLog,
    eraseDatabase: (uid) => queueErasure(uid, () => sessionOnlyOwners().includes(uid))(),
    eraseShares: (uid) => eraseShares([uid], systemClock.now(), systemClock.now),
    hasUnsent: hasUnsentOnDevice,
  });
  return sessionOnlySignIns;
}

export async function hasUnsent(data: Data): Promise<boolean> {
  return (await readUnsent(data)) !== '';
}

/** Tells an owner about the unsent data of an earlier session, which sync sends now. */
export async function tellFoundUnsent(
  store: ReturnType<typeof createStore>,
  data: Data,
): Promise<void> {
  const words = await readUnsent(data);
  if (words === '') return;
  const message = `Still here from your last visit: ${words}. What can be sent is sent now.`;
  toastsOf(store).show({ message, durationMs: 0 });
}
