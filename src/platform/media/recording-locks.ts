const prefix = 'pawpals-recording:';

/**
 * The locks of recordings. The tab that records holds the lock, and the browser releases it when the tab dies. Browsers
 * without Web Locks have no microphone access either.
 */
export const recordingLocks = {
  /** Takes a lock. @returns a function that releases it; null if another tab has it. */
  hold: (id: string): Promise<(() => void) | null> =>
    new Promise((resolve, reject) => {
      const held = new Promise<void>((release) => {
        navigator.locks
          .request(prefix + id, { ifAvailable: true }, (lock) => {
            resolve(lock && release);
            return lock && held;
          })
          .catch(reject);
      });
    }),
  held: async (): Promise<ReadonlySet<string>> => {
    if (!('locks' in navigator)) return new Set();
    const { held = [] } = await navigator.locks.query();
    const names = held.map(({ name = '' }) => name);
    return new Set(
      names.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])),
    );
  },
};
