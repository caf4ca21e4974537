/**
 * Whose data is being erased from this device. Noted before the first piece goes and forgotten after the last, so that a
 * sign-out cut short by a crash is finished at the next start.
 */
const storageKey = 'pawpals:erasing';

export function noteErasure(uid: string): void {
  localStorage.setItem(storageKey, uid);
}

export function readErasure(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

export function forgetErasure(): void {
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
