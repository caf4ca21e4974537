import type { QueuedErasure } from '../../../replication/connectivity/erase-under-lock.ts';
import { eraseDrafts } from '../../lib/draft.ts';
import type { FirebaseAuthService } from '../../platform/auth/firebase-auth.ts';
import { forgetDeviceMarker } from '../../platform/storage/device-marker.ts';
import { forgetDismissedHints } from '../../platform/storage/dismissed-hints.ts';
import { forgetErasure, type PendingErasure } from '../../platform/storage/pending-erasure.ts';
import { systemClock } from '../../platform/system-clock.ts';

export interface ErasureDeps {
  readonly loadAuth: () => Promise<FirebaseAuthService>;
  /** Asks for the owner's lock at once. */
  readonly queueErasure: (uid: string) => Promise<QueuedErasure>;
  /** Erases the items that other apps shared with that owner, or with no owner yet, up to that time. */
  readonly eraseShares: (uid: string, untilMs: number, nowMs: number) => Promise<void>;
}

/**
 * Finishes a noted erasure: the owner's databases, drafts, items shared before it, and sign-in at the provider. Other
 * owners' data stays. The note stays until all of it is done.
 * @param reserved the erasure that already waits for this owner's lock; without it, the lock is requested now.
 */
export async function finishErasure(
  deps: ErasureDeps,
  { uid, notedMs }: PendingErasure,
  reserved?: QueuedErasure,
): Promise<void> {
  const { loadAuth, queueErasure } = deps;
  eraseDrafts(uid);
  forgetDeviceMarker(uid);
  forgetDismissedHints(uid);
  const eraseDatabase = reserved ?? (await queueErasure(uid));
  const outcome = await eraseDatabase();
  await deps.eraseShares(uid, notedMs, systemClock.now());
  const auth = await loadAuth();
  await auth.signOutOf(uid);
  if (outcome === 'erased') forgetErasure(uid);
}

/**
 * Finishes a pending erasure of an owner who signs in again, before the new session writes anything: a later erasure
 * would delete the new data as well.
 */
export async function finishErasureBefore(
  { uid, notedMs }: PendingErasure,
  { queueErasure, eraseShares }: Pick<ErasureDeps, 'queueErasure' | 'eraseShares'>,
): Promise<void> {
  eraseDrafts(uid);
  forgetDeviceMarker(uid);
  forgetDismissedHints(uid);
  const eraseDatabase = await queueErasure(uid);
  await eraseDatabase();
  await eraseShares(uid, notedMs, systemClock.now());
  forgetErasure(uid);
}
