/**
 * Owners whose data is being erased from this device, one note for each. A note is stored before the first piece goes and
 * removed after the last, so that every sign-out cut short by a crash is finished at a later start.
 */
const keyPrefix = 'pawpals:erasing:';
/** A release that had room for one note stored the owner and the time under these keys. */
const soleOwnerKey = 'pawpals:erasing';
const soleTimeKey = 'pawpals:erasing-since';

export interface PendingErasure {
  readonly uid: string;
  /** When it was noted, in epoch milliseconds; 0 if that is not known. */
  readonly notedMs: number;
}

/** @param nowMs epoch milliseconds: what is stored later is not erased. */
export function noteErasure(uid: string, nowMs: number): void {
  localStorage.setItem(keyPrefix + uid, String(nowMs));
}

function adoptSoleNote(): void {
  const uid = localStorage.getItem(soleOwnerKey);
  if (uid !== null) noteErasure(uid, Number(localStorage.getItem(soleTimeKey)));
  localStorage.removeItem(soleOwnerKey);
  localStorage.removeItem(soleTimeKey);
}

export function pendingErasures(): readonly PendingErasure[] {
  try {
    adoptSoleNote();
    return Object.entries(localStorage)
      .filter(([key]) => key.startsWith(keyPrefix))
      .map(([key, time]) => ({ uid: key.slice(keyPrefix.length), notedMs: Number(time) }));
  } catch {
    return [];
  }
}

export function forgetErasure(uid: string): void {
  adoptSoleNote();
  localStorage.removeItem(keyPrefix + uid);
}

/**
 * Another tab erases an owner, also one whose sign-in lay in the storage of this tab alone.
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
