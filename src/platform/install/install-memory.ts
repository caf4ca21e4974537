/** What this device remembers of inviting its owner to install the app: how many visits there were, or that it was asked. */
const storageKey = 'pawpals.install';
const visitKey = 'pawpals.visit';
const asked = 'asked';

/** Counts this visit, once however often it is asked for. Without storage it is always the first. */
export function countedVisits(): number {
  try {
    const known = Number(localStorage.getItem(storageKey) ?? 0);
    if (sessionStorage.getItem(visitKey) !== null) return known;
    sessionStorage.setItem(visitKey, '');
    localStorage.setItem(storageKey, String(known + 1));
    return known + 1;
  } catch {
    return 1;
  }
}

/** True as well where nothing can be remembered: better never than again and again. */
export function wasInvited(): boolean {
  try {
    return localStorage.getItem(storageKey) === asked;
  } catch {
    return true;
  }
}

export function noteInvited(): void {
  localStorage.setItem(storageKey, asked);
}
