import type { DocumentChange } from './document.ts';

/**
 * - Remembers the latest changes in memory, so that a listener that comes back is sent the difference.
 * - Bounded: `since` answers undefined for a version the log no longer reaches back to.
 */
export interface Commit {
  readonly version: number;
  readonly changes: readonly DocumentChange[];
}

export interface ChangeLog {
  append(commit: Commit): void;
  /** Commits after the version, oldest first. */
  since(version: number): readonly Commit[] | undefined;
}

export function createChangeLog(startVersion: number, maxChanges = 20_000): ChangeLog {
  let commits: Commit[] = [];
  let floor = startVersion;
  let size = 0;

  const trim = () => {
    let dropped = 0;
    for (const commit of commits) {
      if (size <= maxChanges / 2) break;
      size -= commit.changes.length;
      floor = commit.version;
      dropped++;
    }
    commits = commits.slice(dropped);
  };

  return {
    append(commit) {
      commits.push(commit);
      size += commit.changes.length;
      if (size > maxChanges) trim();
    },
    since: (version) =>
      version < floor ? undefined : commits.filter((each) => each.version > version),
  };
}
