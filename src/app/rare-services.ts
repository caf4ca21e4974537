import type { createStore } from 'jotai';
import { openFirestore } from '../../replication/firebase/firestore-documents.ts';
import { readOrganizations as read } from '../../replication/firebase/organizations.ts';
import {
  reserveErasure as reserve,
  type ReservedErasure,
} from '../../replication/connectivity/erase-alone.ts';
import type { Organization } from '../../schemas/organization.ts';
import type { Data } from '../data/data-context.ts';
import { systemClock } from '../platform/system-clock.ts';
import { toastsOf } from '../platform/toasts.ts';
import { locks, sessionLocks } from './between-tabs.ts';
import { createBriefSessions, type BriefSessions } from './brief-sessions.ts';
import { firebaseConfigOfBuild } from './firebase-config.ts';
import { loadAuth } from './lazy-services.ts';
import { hasUnsentOnDevice, unsentWords } from './unsent-on-device.ts';

/** Services of moments that most visits do without. */
export { eraseShares } from '../../replication/shares/share-store.ts';

/** @throws {AuthError} {RemoteError} without a connection, or if the server refuses. */
export async function readOrganizations(): Promise<readonly Organization[]> {
  const service = await loadAuth();
  await service.ready();
  return read(openFirestore(firebaseConfigOfBuild()), systemClock);
}

export function reserveErasure(uid: string): ReservedErasure {
  return reserve(uid, { locks, clock: systemClock });
}

let briefSessions: BriefSessions | null = null;

export function openBriefSessions(): BriefSessions {
  briefSessions ??= createBriefSessions({
    locks: sessionLocks,
    eraseDatabase: (uid) => reserveErasure(uid)(),
    hasUnsent: hasUnsentOnDevice,
  });
  return briefSessions;
}

/** Tells an owner of what an earlier session of theirs had not sent; sync sends it now. */
export async function tellFoundUnsent(
  store: ReturnType<typeof createStore>,
  data: Data,
): Promise<void> {
  const words = await unsentWords(data);
  if (words === null) return;
  const message = `Still here from your last visit: ${words}. What can be sent is sent now.`;
  toastsOf(store).show({ message, durationMs: 0 });
}
