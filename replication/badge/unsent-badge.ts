/** The part of `navigator` that is used here, in a page or the worker. Not every browser has badges. */
export interface BadgeTarget {
  setAppBadge?(count: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

/**
 * Shows the number of unsent items on the app's icon. Never rejects: a system may refuse badges, which loses no data.
 * @param count pending and parked documents and files; 0 removes the badge.
 */
export async function showUnsentBadge(target: BadgeTarget, count: number): Promise<void> {
  try {
    if (count > 0) await target.setAppBadge?.(count);
    else await target.clearAppBadge?.();
  } catch {
    // A refused badge is ignored.
  }
}
