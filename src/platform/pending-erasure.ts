/**
 * Whose data is being erased from this device. Noted before the first piece goes and forgotten after the last, so that a
 * sign-out cut short by a crash is finished at the next start.
 */
const storageKey = 'pawpals:erasing';
const timeKey = 'pawpals:erasing-since';

/** @param nowMs epoch milliseconds: what comes later is not theirs. */
export function noteErasure(uid: string, nowMs: number): void {
  localStorage.setItem(timeKey, String(nowMs));
  localStorage.setItem(storageKey, uid);
}

export function readErasure(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

/** When it was noted, in epoch milliseconds; 0 if that is not known. */
export function readErasureTime(): number {
  try {
    return Number(localStorage.getItem(timeKey) ?? 0);
  } catch {
    return 0;
  }
}

export function forgetErasure(): void {
  localStorage.removeItem(timeKey);
  localStorage.removeItem(storageKey);
}

/**
 * Another tab erases an owner, also one whose sign-in lay in the storage of this tab alone.
 * @returns a function that stops watching.
 */
export function watchErasure(onErasing: (uid: string) => void): () => void {
  const report = ({ key, newValue }: StorageEvent): void => {
    if (key === storageKey && newValue !== null) onErasing(newValue);
  };
  window.addEventListener('storage', report);
  return () => window.removeEventListener('storage', report);
}
