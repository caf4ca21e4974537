import type { QueuedErasure } from '../../../replication/connectivity/erase-under-lock.ts';
import { eraseDrafts } from '../../lib/draft.ts';
import type { FirebaseAuthService } from '../../platform/auth/firebase-auth.ts';
import { forgetDeviceMarker } from '../../platform/storage/device-marker.ts';
import { forgetDismissedHints } from '../../platform/storage/dismissed-hints.ts';
import { forgetErasure, type PendingErasure } from '../../platform/storage/pending-erasure.ts';

export interface ErasureDeps {
  readonly loadAuth: () => Promise<FirebaseAuthService>;
  /** Asks for the owner's lock at once. */
  readonly queueErasure: (uid: string) => Promise<QueuedErasure>;
  /** What other apps have shared with that owner, or with nobody yet, up to that time in epoch milliseconds. */
  readonly eraseShares: (uid: string, untilMs: number) => Promise<void>;
}

/**
 * Finishes an erasure that is noted: databases, drafts, what was shared before it, and the provider's sign-in of that
 * owner, nobody else's.
 * The note stays until all of it is done.
 * @param reserved for this owner; left out, the lock is asked for now.
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
  await deps.eraseShares(uid, notedMs);
  const auth = await loadAuth();
  await auth.signOutOf(uid);
  if (outcome === 'erased') forgetErasure(uid);
}

/**
 * An owner comes back whose erasure was not finished: what is left from before goes now, since later it would take with it
 * what is written from here on.
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
  await eraseShares(uid, notedMs);
  forgetErasure(uid);
}
