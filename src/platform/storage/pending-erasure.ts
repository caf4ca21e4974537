/**
 * The prefix of the keys of owners whose data is being erased from this device. A note is stored before the first step
 * and removed after the last, so that an erasure that a crash interrupts is finished at a later start.
 */
const keyPrefix = 'pawpals:erasing:';

export interface PendingErasure {
  readonly uid: string;
  /** The time of the note, in epoch milliseconds. */
  readonly notedMs: number;
}

/** Notes an erasure. @param nowMs epoch milliseconds; later data is not erased. */
export function noteErasure(uid: string, nowMs: number): void {
  localStorage.setItem(keyPrefix + uid, String(nowMs));
}

export function pendingErasures(): readonly PendingErasure[] {
  try {
    return Object.entries(localStorage)
      .filter(([key]) => key.startsWith(keyPrefix))
      .map(([key, time]) => ({ uid: key.slice(keyPrefix.length), notedMs: Number(time) }));
  } catch {
    return [];
  }
}

/** Whether this owner's erasure is still noted. Any tab may have finished it meanwhile. */
export function isErasureNoted(uid: string): boolean {
  return pendingErasures().some((noted) => noted.uid === uid);
}

export function forgetErasure(uid: string): void {
  localStorage.removeItem(keyPrefix + uid);
}

/**
 * The prefix of the keys of owners whose account the provider is asked to delete. The tab may be killed before the answer,
 * and the account be gone; unlike an erasure, the deletion may still be refused, so no other tab follows it.
 */
const deletionPrefix = 'pawpals:deleting:';

export function noteDeletion(uid: string): void {
  localStorage.setItem(deletionPrefix + uid, '');
}

export function isDeletionNoted(uid: string): boolean {
  return localStorage.getItem(deletionPrefix + uid) !== null;
}

export function forgetDeletion(uid: string): void {
  localStorage.removeItem(deletionPrefix + uid);
}

/**
 * Calls `onErasing` when another tab erases an owner, even one whose sign-in was only in the storage of this tab.
 * @returns a function that stops watching.
 */
export function watchErasure(onErasing: (uid: string) => void): () => void {
  const report = ({ key, newValue }: StorageEvent): void => {
    if (key?.startsWith(keyPrefix) === true && newValue !== null) {
      onErasing(key.slice(keyPrefix.length));
    }
  };
  window.addEventListener('storage', report);
  return () => window.removeEventListener('storage', report);
}
