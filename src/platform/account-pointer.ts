import * as v from 'valibot';
import type { SignedInUser } from '../../schemas/account.ts';

/**
 * Whose device this is, readable at once: the first screen of a returning owner must not wait for the identity
 * provider's code. It proves nothing; the server asks for a token.
 *
 * It lies where the sign-in lies: in local storage if it persists, else in the storage of the browser session.
 */
const storageKey = 'pawpals:account';

const pointerSchema = v.object({
  uid: v.pipe(v.string(), v.minLength(1)),
  email: v.nullable(v.string()),
  displayName: v.nullable(v.string()),
});

/** Storage can be forbidden, and what is in it can be anything. */
function readFrom(storage: Storage): SignedInUser | null {
  try {
    const parsed = v.safeParse(pointerSchema, JSON.parse(storage.getItem(storageKey) ?? 'null'));
    return parsed.success ? parsed.output : null;
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
