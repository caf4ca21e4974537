export type VersionClock = ReturnType<typeof createVersionClock>;

/**
 * - Versions are microseconds since the epoch. They strictly increase, even across restarts and when the
 *   wall clock steps back.
 * - A read never gets the version of a later commit: while commits are in flight to the disk,
 *   reads stay at the last version whose commits are all visible.
 */
export function createVersionClock(last: number, nowMs: () => number) {
  let issued = last;
  let visible = last;
  let inFlight = 0;
  const next = () => Math.max(issued + 1, Math.floor(nowMs() * 1000));
  return {
    /** Returns the version that a commit would get now. */
    peekCommit: next,
    /** Assigns the version to a commit that will be published. */
    nextCommit(version: number) {
      inFlight++;
      issued = version;
    },
    publish(version: number) {
      inFlight--;
      visible = version;
    },
    /** Gives up a commit that will not be published. */
    abandon() {
      inFlight--;
    },
    /** Returns the version to read: every commit up to it is visible, and every later commit gets a higher one. */
    read() {
      if (inFlight === 0) {
        issued = next();
        visible = issued;
      }
      return visible;
    },
  };
}
