/**
 * The key of the owners whose sign-in was for one browser session only, and whose data may still be on this device. An
 * owner is noted before their data is opened, and removed when it is erased, or when they stay signed in after all.
 */
const storageKey = 'pawpals:session-only';

export function sessionOnlyOwners(): readonly string[] {
  try {
    return (localStorage.getItem(storageKey) ?? '').split(' ').filter((uid) => uid !== '');
  } catch {
    return [];
  }
}

function store(uids: readonly string[]): void {
  if (uids.length === 0) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, uids.join(' '));
}

export function noteSessionOnlyOwner(uid: string): void {
  if (!sessionOnlyOwners().includes(uid)) store([...sessionOnlyOwners(), uid]);
}

export function forgetSessionOnlyOwner(uid: string): void {
  if (sessionOnlyOwners().includes(uid))
    store(sessionOnlyOwners().filter((other) => other !== uid));
}
