/**
 * The prefix of the keys of dogs whose owner has dismissed the hints about missing facts. Only ids are stored, and
 * erased with the owner's other data.
 */
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
    // Without storage the hint returns with the next visit.
  }
}

export function forgetDismissedHints(uid: string): void {
  localStorage.removeItem(prefix + uid);
}
