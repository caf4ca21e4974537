import type {
  QueuedErasure,
  QueuedErasureOutcome,
} from '../../../replication/connectivity/erase-under-lock.ts';
import { eraseDrafts, writeDraft } from '../../lib/draft.ts';
import { clearAccountPointer } from '../../platform/auth/account-pointer.ts';
import type { FirebaseAuthService } from '../../platform/auth/firebase-auth.ts';
import { forgetSessionOnlyOwner } from '../../platform/auth/session-only-owners.ts';
import { forgetDeviceMarker } from '../../platform/storage/device-marker.ts';
import { forgetDismissedHints } from '../../platform/storage/dismissed-hints.ts';
import {
  forgetDeletion,
  forgetErasure,
  isErasureNoted,
  noteErasure,
  pendingErasures,
} from '../../platform/storage/pending-erasure.ts';
import { systemClock } from '../../platform/system-clock.ts';

export interface ErasureDeps {
  readonly loadAuth: () => Promise<FirebaseAuthService>;
  /** Asks for the owner's lock at once. */
  readonly queueErasure: (uid: string, isStillNoted: () => boolean) => Promise<QueuedErasure>;
  /** Erases the items that other apps shared with these owners up to that time; undefined: with no owner yet. */
  readonly eraseShares: (
    owners: readonly (string | undefined)[],
    untilMs: number,
    now: () => number,
  ) => Promise<void>;
}

type DeviceErasureDeps = Pick<ErasureDeps, 'queueErasure' | 'eraseShares'>;

/**
 * Notes the erasure of an owner, who is signed in no more. Where web storage has no room for the note, the drafts give it,
 * which go with their owner. @throws if there is still none; the drafts stay then.
 */
export function beginErasure(uid: string): void {
  const nowMs = systemClock.now();
  try {
    noteErasure(uid, nowMs);
  } catch {
    const drafts = eraseDrafts(uid);
    try {
      noteErasure(uid, nowMs);
    } catch (error) {
      for (const [name, text] of drafts) writeDraft({ owner: uid, name }, text);
      throw error;
    }
  }
  forgetSessionOnlyOwner(uid);
  clearAccountPointer(uid);
}

/** Asks for the owner's lock, to erase under it what is still noted then. */
export function reserveErasure(
  uid: string,
  { queueErasure }: Pick<ErasureDeps, 'queueErasure'>,
): Promise<QueuedErasure> {
  return queueErasure(uid, () => isErasureNoted(uid));
}

/** Forgets what web storage holds of an owner or of this device's use by them. */
export function forgetTraces(uid: string): void {
  eraseDrafts(uid);
  forgetDeviceMarker(uid);
  forgetDismissedHints(uid);
  forgetDeletion(uid);
}

/**
 * Erases what this device stores of an owner: traces, databases, and items shared before the note. Another tab may have
 * finished that, and the owner may have come back there, so nothing is erased without a note.
 */
async function eraseNoted(
  uid: string,
  deps: DeviceErasureDeps,
  reserved?: QueuedErasure,
): Promise<QueuedErasureOutcome> {
  const noted = pendingErasures().find((each) => each.uid === uid);
  if (noted === undefined) {
    // This releases the lock.
    await reserved?.();
    return 'called-off';
  }
  forgetTraces(uid);
  const eraseDatabase = reserved ?? (await reserveErasure(uid, deps));
  const outcome = await eraseDatabase();
  if (outcome === 'called-off') return outcome;
  // Another tab may have written drafts until it closed the database.
  forgetTraces(uid);
  await deps.eraseShares([uid, undefined], noted.notedMs, systemClock.now);
  return outcome;
}

/**
 * Finishes an erasure if it is still noted: what the device stores of the owner, and the sign-in at the provider. Other
 * owners' data stays. The note stays until all of it is done.
 * @param reserved the erasure that already waits for this owner's lock; without it, the lock is requested now.
 * @returns false if it is no longer noted, since another tab has finished it.
 */
export async function finishErasure(
  uid: string,
  deps: ErasureDeps,
  reserved?: QueuedErasure,
): Promise<boolean> {
  const outcome = await eraseNoted(uid, deps, reserved);
  const auth = await deps.loadAuth();
  await auth.ready();
  if (!isErasureNoted(uid)) return false;
  await auth.signOutOf(uid);
  if (outcome === 'erased') forgetErasure(uid);
  return true;
}

/**
 * Finishes a pending erasure of an owner who signs in again, before the new session writes anything: a later erasure
 * would delete the new data as well.
 * @returns false if another tab does not release the database; opening it would wait for that tab.
 */
export async function finishErasureBefore(uid: string, deps: DeviceErasureDeps): Promise<boolean> {
  if ((await eraseNoted(uid, deps)) === 'blocked') return false;
  forgetErasure(uid);
  return true;
}
