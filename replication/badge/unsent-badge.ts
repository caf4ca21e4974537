/** `navigator`, of a page or of the worker, as far as it is used here; not every browser has badges. */
export interface BadgeTarget {
  setAppBadge?(count: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

/**
 * Shows on the app's icon how much is on this device alone. Never rejects: a system may refuse badges, and nothing is lost
 * with one.
 * @param count documents and files that wait or are parked; 0 takes the badge away.
 */
export async function showUnsentBadge(target: BadgeTarget, count: number): Promise<void> {
  try {
    if (count > 0) await target.setAppBadge?.(count);
    else await target.clearAppBadge?.();
  } catch {
    // As said above.
  }
}
