import type { DocumentChange } from '../values/document.ts';
import { partitionPoint } from '../query/query-window.ts';
import { documentSize } from '../values/value-measure.ts';

/**
 * - Remembers the latest commits with the former documents, so that a listener that comes back is sent the
 *   difference, deletions included.
 * - Bounded by the number of changes, by the size of the former documents, and by age.
 * - Every commit is also stored; `takeEvicted` names the ones that are to be removed from the store.
 */
export interface Commit {
  readonly version: number;
  /** The uid of the user who wrote it; null for the process itself and for somebody who is not signed in. */
  readonly writer: string | null;
  readonly changes: readonly DocumentChange[];
}

export interface Recent {
  /** Oldest first. */
  readonly commits: readonly Commit[];
  /** False when the log does not reach back to the version: earlier commits are missing. */
  readonly isComplete: boolean;
}

export interface Evicted {
  readonly versions: readonly number[];
  /** The log has every commit after this version. */
  readonly floor: number;
}

export interface ChangeLog {
  append(commit: Commit): void;
  since(version: number): Recent;
  /** Evicts the commits that have become too old. */
  evict(): void;
  /** Commits evicted since the last call; undefined when there are none. */
  takeEvicted(): Evicted | undefined;
}

export interface ChangeLogDeps {
  readonly floor: number;
  /** Every commit after the floor, oldest first. */
  readonly commits: readonly Commit[];
  readonly nowMs: () => number;
  readonly limits?: ChangeLogLimits;
}

export interface ChangeLogLimits {
  readonly maxChanges: number;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

const LIMITS: ChangeLogLimits = {
  maxChanges: 20_000,
  maxBytes: 16 * 1024 * 1024,
  maxAgeMs: 24 * 3_600_000,
};

export function createChangeLog({ nowMs, limits = LIMITS, ...loaded }: ChangeLogDeps): ChangeLog {
  let { floor } = loaded;
  let commits = [...loaded.commits];
  /** How many of the first commits are evicted. */
  let gone = 0;
  let size = commits.reduce((sum, each) => sum + each.changes.length, 0);
  let bytes = commits.reduce((sum, each) => sum + formerBytes(each), 0);
  let evicted: number[] = [];

  const isOver = ({ version }: Commit) =>
    size > limits.maxChanges ||
    bytes > limits.maxBytes ||
    version < (nowMs() - limits.maxAgeMs) * 1000;

  const evict = () => {
    for (let oldest = commits[gone]; oldest !== undefined && isOver(oldest);) {
      size -= oldest.changes.length;
      bytes -= formerBytes(oldest);
      floor = oldest.version;
      evicted.push(floor);
      oldest = commits[++gone];
    }
    if (gone * 2 < commits.length) return;
    commits = commits.slice(gone);
    gone = 0;
  };

  evict();
  return {
    evict,
    append(commit) {
      commits.push(commit);
      size += commit.changes.length;
      bytes += formerBytes(commit);
      evict();
    },
    since: (version) => ({
      commits: commits.slice(
        Math.max(
          gone,
          partitionPoint(commits, (each) => each.version > version),
        ),
      ),
      isComplete: version >= floor,
    }),
    takeEvicted() {
      if (evicted.length === 0) return undefined;
      const versions = evicted;
      evicted = [];
      return { versions, floor };
    },
  };
}

const formerBytes = ({ changes }: Commit): number =>
  changes.reduce(
    (sum, { before }) => sum + (before === null ? 0 : documentSize(before.name, before.fields)),
    0,
  );
