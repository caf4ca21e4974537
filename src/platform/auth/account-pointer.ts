import type { SignedInUser } from '../../../schemas/forms/account.ts';

/**
 * Whose device this is, readable at once: the first screen of a returning owner must not wait for the identity
 * provider's code. It proves nothing; the server asks for a token.
 *
 * It lies where the sign-in lies: in local storage if it persists, else in the storage of the browser session.
 */
const storageKey = 'pawpals:account';

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/** Checked by hand: nothing else of the first view needs the code that checks schemas, 2.5 kB of it. */
function toUser(stored: unknown): SignedInUser | null {
  const found: Record<string, unknown> = typeof stored === 'object' ? { ...stored } : {};
  const { uid, email, displayName } = found;
  const isUid = typeof uid === 'string' && uid !== '';
  return isUid && isTextOrNull(email) && isTextOrNull(displayName)
    ? { uid, email, displayName }
    : null;
}

/** Storage can be forbidden, and what is in it can be anything. */
function readFrom(storage: Storage): SignedInUser | null {
  try {
    return toUser(JSON.parse(storage.getItem(storageKey) ?? 'null'));
  } catch {
    return null;
  }
}

export function readAccountPointer(): SignedInUser | null {
  return readFrom(sessionStorage) ?? readFrom(localStorage);
}

export function writeAccountPointer(user: SignedInUser, keepSignedIn: boolean): void {
  const { uid, email, displayName } = user;
  const storage = keepSignedIn ? localStorage : sessionStorage;
  storage.setItem(storageKey, JSON.stringify({ uid, email, displayName }));
}

export function clearAccountPointer(): void {
  localStorage.removeItem(storageKey);
  sessionStorage.removeItem(storageKey);
}

/** Another tab signed in, out, or in as somebody else. @returns a function that stops watching. */
export function watchAccountPointer(onChange: (user: SignedInUser | null) => void): () => void {
  const report = (event: StorageEvent): void => {
    if (event.key === storageKey || event.key === null) onChange(readAccountPointer());
  };
  window.addEventListener('storage', report);
  return () => window.removeEventListener('storage', report);
}
