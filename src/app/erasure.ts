import type { ErasureOutcome } from '../../replication/store/erase.ts';
import { eraseDrafts } from '../lib/draft.ts';
import type { FirebaseAuthService } from '../platform/firebase-auth.ts';
import { forgetDeviceMarker } from '../platform/device-marker.ts';
import { forgetErasure, readErasure, readErasureTime } from '../platform/pending-erasure.ts';

export interface ErasureDeps {
  readonly loadAuth: () => Promise<FirebaseAuthService>;
  readonly eraseDatabases: (uid: string) => Promise<ErasureOutcome>;
  /** What other apps have shared up to that time, in epoch milliseconds. */
  readonly eraseShares: (untilMs: number) => Promise<void>;
}

/**
 * Finishes the erasure that is noted, if any: databases, drafts, what was shared before it, and the provider's sign-in of
 * that owner, nobody else's.
 * The note stays until all of it is done.
 */
export async function finishErasure(deps: ErasureDeps): Promise<void> {
  const { loadAuth, eraseDatabases } = deps;
  const uid = readErasure();
  if (uid === null) return;
  eraseDrafts(uid);
  await deps.eraseShares(readErasureTime());
  forgetDeviceMarker(uid);
  const outcome = await eraseDatabases(uid);
  const auth = await loadAuth();
  await auth.signOutOf(uid);
  if (outcome === 'erased') forgetErasure();
}

/**
 * An owner comes back whose erasure was not finished: what is left from before goes now, since later it would take with it
 * what is written from here on.
 */
export async function finishErasureBefore(
  uid: string,
  { eraseDatabases }: Pick<ErasureDeps, 'eraseDatabases'>,
): Promise<void> {
  if (readErasure() !== uid) return;
  eraseDrafts(uid);
  forgetDeviceMarker(uid);
  await eraseDatabases(uid);
  forgetErasure();
}
