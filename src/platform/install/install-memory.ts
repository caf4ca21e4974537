/** The key under which this device stores the number of visits, or that the owner was invited to install the app. */
const storageKey = 'pawpals.install';
const visitKey = 'pawpals.visit';
const asked = 'asked';

/** Counts this visit once, however often it is called. Returns 1 if there is no storage. */
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

/** Whether the owner was invited. True without storage, because an invitation must not repeat. */
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
