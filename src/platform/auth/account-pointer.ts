import type { SignedInUser } from '../../../schemas/forms/account.ts';
import { isErasureNoted } from '../storage/pending-erasure.ts';

/**
 * The key of the signed-in owner, which can be read synchronously: the first screen of a returning owner must not wait
 * for the identity provider's code. It proves nothing; the server requires a token.
 *
 * It is in the same storage as the sign-in: local storage if the sign-in persists, or else session storage.
 */
const storageKey = 'pawpals:account';

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/** Checks the stored value by hand, because the schema code of 2.5 kB is not needed for the first view otherwise. */
function toUser(stored: unknown): SignedInUser | null {
  const found: Record<string, unknown> = typeof stored === 'object' ? { ...stored } : {};
  const { uid, email, displayName } = found;
  const isUid = typeof uid === 'string' && uid !== '';
  return isUid && isTextOrNull(email) && isTextOrNull(displayName)
    ? { uid, email, displayName }
    : null;
}

function parse(text: string | null): SignedInUser | null {
  try {
    return toUser(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
}

/** Reads the owner from a storage, which may be forbidden, even to look at, or hold any value. */
function readFrom(storage: () => Storage): SignedInUser | null {
  try {
    return parse(storage().getItem(storageKey));
  } catch {
    return null;
  }
}

export function readAccountPointer(): SignedInUser | null {
  return readSessionPointer() ?? readFrom(() => localStorage);
}

/**
 * Reads the owner anew, in a page that has read it before. A sign-out is noted before it clears the pointer, so other tabs
 * may still see a pointer that no longer counts.
 * @throws if the storage cannot be read, which is no sign-out. It happens in WebKit, where a page that another has
 *   replaced still runs its events, without a storage.
 */
export function rememberedUser(): SignedInUser | null {
  const user = parse(sessionStorage.getItem(storageKey)) ?? parse(localStorage.getItem(storageKey));
  return user === null || isErasureNoted(user.uid) ? null : user;
}

/** Reads the owner whose sign-in ends with the browser session. The browser copies it to duplicates of the tab. */
export function readSessionPointer(): SignedInUser | null {
  return readFrom(() => sessionStorage);
}

/**
 * Remembers the owner of this tab. A pointer to somebody else in local storage stays: it belongs to the owner of other
 * tabs. The new pointer is written before an old one is removed, because other tabs follow each change.
 */
export function writeAccountPointer(user: SignedInUser, keepSignedIn: boolean): void {
  const { uid, email, displayName } = user;
  const storage = keepSignedIn ? localStorage : sessionStorage;
  storage.setItem(storageKey, JSON.stringify({ uid, email, displayName }));
  if (keepSignedIn) clearSessionPointer();
  else clearKeptPointer(uid);
}

/** Forgets an owner, in this tab and for the next start. */
export function clearAccountPointer(uid: string): void {
  if (readSessionPointer()?.uid === uid) clearSessionPointer();
  clearKeptPointer(uid);
}

function clearKeptPointer(uid: string): void {
  if (readFrom(() => localStorage)?.uid === uid) localStorage.removeItem(storageKey);
}

export function clearSessionPointer(): void {
  sessionStorage.removeItem(storageKey);
}

/**
 * Calls `onChange` when another tab signs in, signs out, or changes the owner. @returns a function that stops watching.
 */
export function watchAccountPointer(onChange: () => void): () => void {
  const report = (event: StorageEvent): void => {
    if (event.key === storageKey || event.key === null) onChange();
  };
  window.addEventListener('storage', report);
  return () => window.removeEventListener('storage', report);
}
