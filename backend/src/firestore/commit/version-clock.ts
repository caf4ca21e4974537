export type VersionClock = ReturnType<typeof createVersionClock>;

/**
 * - Versions are microseconds since the epoch. They strictly increase, even across restarts and when the
 *   wall clock steps back.
 * - A read has the version of the last commit that is visible, so every later commit gets a higher one.
 */
export function createVersionClock(last: number, nowMs: () => number) {
  let issued = last;
  let visible = last;
  return {
    /** Returns the version that a commit would get now. */
    peekCommit: () => Math.max(issued + 1, Math.floor(nowMs() * 1000)),
    /** Assigns the version to a commit. */
    nextCommit(version: number) {
      issued = version;
    },
    publish(version: number) {
      visible = version;
    },
    read: () => visible,
  };
}
