/**
 * - Versions are microseconds since the epoch. They strictly increase, even across restarts and when the
 *   wall clock steps back.
 * - A read never gets the version of a later commit: while commits are in flight to the disk,
 *   reads stay at the last version whose commits are all visible.
 */
export interface VersionClock {
  /** Returns the version that a commit would get now. */
  peekCommit(): number;
  /** Assigns the version to a commit that will be published. */
  nextCommit(version: number): void;
  publish(version: number): void;
  /** Gives up a commit that will not be published. */
  abandon(): void;
  /** Returns the version to read: every commit up to it is visible, and every later commit gets a higher one. */
  read(): number;
}

export function createVersionClock(last: number, nowMs: () => number): VersionClock {
  let issued = last;
  let visible = last;
  let inFlight = 0;
  const next = () => Math.max(issued + 1, Math.floor(nowMs() * 1000));
  return {
    peekCommit: next,
    nextCommit(version) {
      inFlight++;
      issued = version;
    },
    publish(version) {
      inFlight--;
      visible = version;
    },
    abandon() {
      inFlight--;
    },
    read() {
      if (inFlight === 0) {
        issued = next();
        visible = issued;
      }
      return visible;
    },
  };
}
