const prefix = 'pawpals-recording:';

/**
 * A recording is held by the tab that makes it, for as long as that lives: the browser lets go of the lock when the tab
 * dies, however it does. Without Web Locks there is no microphone either.
 */
export const recordingLocks = {
  /** @returns a function that lets go. */
  hold: (id: string): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const held = new Promise<void>((release) => {
        navigator.locks
          .request(prefix + id, () => {
            resolve(release);
            return held;
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
