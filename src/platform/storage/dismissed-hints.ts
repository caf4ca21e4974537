/** Dogs whose owner wants no more hints at what their profile lacks. Ids only; they go with the owner's other data. */
const prefix = 'pawpals.hints.';

function dismissedIds(uid: string): readonly string[] {
  try {
    return localStorage.getItem(prefix + uid)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

export function isHintDismissed(uid: string, petId: string): boolean {
  return dismissedIds(uid).includes(petId);
}

export function dismissHint(uid: string, petId: string): void {
  try {
    localStorage.setItem(prefix + uid, [...dismissedIds(uid), petId].join(' '));
  } catch {
    // Without storage the hint comes back with the next visit.
  }
}

export function forgetDismissedHints(uid: string): void {
  localStorage.removeItem(prefix + uid);
}
