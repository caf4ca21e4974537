import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../../clock.ts';
import { createSliceMeter, type Steps } from '../../limits/slices.ts';
import {
  afterPrefix,
  numberAt,
  underPrefix,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { isInScope } from '../query/query-match.ts';
import { isInWindow } from '../query/query-window.ts';
import type { Query } from '../query/query.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { storedSize } from '../values/value-measure.ts';
import { commitPrefix, commitKey, groupKey, versionKey, formerKey } from './document-keys.ts';
import { decodeRecord, encodeRecord } from './document-record.ts';

export interface Commit {
  readonly version: number;
  /** The uid of the user who wrote it; null for the process itself and for anonymous callers. */
  readonly writer: string | null;
  readonly changes: readonly DocumentChange[];
}

export interface Resumption {
  readonly query: Query;
  readonly from: number;
  /** The uid of the listener; null without a sign-in. */
  readonly uid: string | null;
  /** Charges the listener for bytes that are kept until its first answer is complete. @throws {LimitError} */
  readonly hold: (bytes: number) => void;
}

export interface Recent {
  /**
   * By path, each document in the scope of the query that matches it, did so since, or was written by the listener, in the
   * order of their first change. If there are too many, it may have only those that the listener wrote and that do not match.
   */
  readonly changes: ReadonlyMap<string, ChangedDocument>;
  /** How many more documents match than did. */
  readonly grown: number;
  /** False when the log does not reach back to the version, or there are too many changes to hold. */
  readonly isComplete: boolean;
}

export interface ChangedDocument {
  /** Whether it matches the query now. */
  readonly isIn: boolean;
  /** Whether one of the states that were replaced matched. */
  hasBeenIn: boolean;
  /** Whether the listener wrote one of its states. */
  isOwn: boolean;
}

export interface LoggedView {
  readonly source: Pick<KeyValueStore, 'get' | 'range'>;
  readonly get: (path: string) => StoredDocument | null;
}

export interface ChangeLogDeps {
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly names: DatabaseNames;
  readonly clock: Pick<Clock, 'now' | 'elapsedMs'>;
  readonly limits?: typeof defaultLimits;
}

const defaultLimits = {
  maxChanges: 20_000,
  maxBytes: 16 * 1024 * 1024,
  maxAgeMs: 24 * 3_600_000,
  /** A clock that is behind when the process starts, as that of a machine without a battery, is corrected within this time. */
  maxBehindMs: 3_600_000,
  /** Evictions above this number are left for the next write, because clients wait while the operations are made. */
  maxEvictedChanges: 1000,
  /** The size of what one answer names: more than `maxChanges` paths of usual length. A listener starts over otherwise. */
  maxHeldBytes: 8 * 1024 * 1024,
};

/** The key of the version after which the log has every commit. */
const floorKey = 'fs/floor';
const changesKey = 'fs/log/changes';
const bytesKey = 'fs/log/bytes';

/** Returns how much memory a path takes as a key. */
export const pathBytes = (path: string): number => 2 * path.length + 150;

const FormerRecord = v.object({
  path: v.string(),
  writer: v.nullable(v.string()),
  /** The stored record; null when there was none. */
  before: v.nullable(v.string()),
});
const CommitRecord = v.object({ paths: v.array(v.string()), bytes: v.number() });
/**
 * Reads the wall time alone: every write looks at the oldest record, which may have megabytes of paths. Records of older
 * versions have none, and the version, in microseconds, is close to it.
 */
const timeOf = (text: string, version: number): number =>
  Number(/^\{"atMs":(\d+)/.exec(text)?.[1] ?? version / 1000);

export type ChangeLog = ReturnType<typeof createChangeLog>;

/**
 * - It keeps the latest commits with the former documents on the disk, and nothing in memory, so that a listener that
 *   resumes gets the difference, including deletions.
 * - It is limited by the number of changes, by the size of the former documents, and by age.
 */
export function createChangeLog(deps: ChangeLogDeps) {
  const { store, names, clock, limits = defaultLimits } = deps;

  return {
    /** Yields the operations that log a commit, for the write that makes it durable. */
    *operations({ version, writer, changes }: Commit): Generator<StoreOperation> {
      if (changes.length === 0) return;
      const bytes = changes.reduce((sum, each) => sum + storedSize(each.before), 0);
      // The version cannot tell the age, because it stays in the future after a clock that was ahead.
      const record = { atMs: clock.now(), paths: changes.map((each) => each.path), bytes };
      yield { type: 'put', key: commitKey(version), value: JSON.stringify(record) };
      yield { type: 'add', key: changesKey, amount: changes.length };
      yield { type: 'add', key: bytesKey, amount: bytes };
      for (const { path, before } of changes) {
        const former = { path, writer, before: before && encodeRecord(before) };
        yield { type: 'put', key: formerKey(path, version), value: JSON.stringify(former) };
      }
    },
    /**
     * Returns the operations that evict the oldest commits above the limits, and whether some are left for another write.
     * @param maxChanges the number of changes after which the rest is left.
     */
    evictions(maxChanges = limits.maxEvictedChanges): {
      readonly operations: readonly StoreOperation[];
      readonly hasMore: boolean;
    } {
      const operations: StoreOperation[] = [];
      let changes = 0;
      let bytes = 0;
      let floor = 0;
      let hasMore = false;
      const tooManyChanges = numberAt(store, changesKey) - limits.maxChanges;
      const tooManyBytes = numberAt(store, bytesKey) - limits.maxBytes;
      // A commit of a later day is of a clock that was ahead, so its age is unknown, or the clock is behind now.
      const maxAheadMs = clock.elapsedMs() < limits.maxBehindMs ? Infinity : limits.maxAgeMs;
      for (const [key, text] of store.range(underPrefix(commitPrefix))) {
        const version = Number(key.readBigUInt64BE(commitPrefix.length));
        const ageMs = clock.now() - timeOf(text, version);
        const isOld = ageMs > limits.maxAgeMs || -ageMs > maxAheadMs;
        const isOver = changes < tooManyChanges || bytes < tooManyBytes || isOld;
        hasMore = isOver && changes >= maxChanges;
        if (!isOver || hasMore) break;
        const evicted = v.parse(CommitRecord, JSON.parse(text));
        changes += evicted.paths.length;
        bytes += evicted.bytes;
        floor = version;
        operations.push(
          { type: 'del', key },
          ...evicted.paths.map((path): StoreOperation => ({
            type: 'del',
            key: formerKey(path, version),
          })),
        );
      }
      if (operations.length > 0) {
        operations.push(
          { type: 'put', key: floorKey, value: `${floor}` },
          { type: 'add', key: changesKey, amount: -changes },
          { type: 'add', key: bytesKey, amount: -bytes },
        );
      }
      return { operations, hasMore };
    },
    /**
     * Reads the changes after a version, up to that of the view. It keeps no document, and no path that the answer does not
     * name: others may have written those.
     */
    *since({ source, get }: LoggedView, { query, from, uid, hold }: Resumption): Steps<Recent> {
      const group = groupKey('formers', query.collectionId);
      const start = Buffer.concat([group, versionKey(from + 1)]);
      const isSliceOver = createSliceMeter(() => clock.elapsedMs());
      const matches = (document: StoredDocument | null) =>
        document !== null && isInWindow(query, document);
      const changes = new Map<string, ChangedDocument>();
      /** Whether the other documents match, by the hashes of their paths. */
      const others = new Map<string, boolean>();
      let grown = 0;
      let heldBytes = 0;
      const holdMore = (bytes: number) => {
        heldBytes += bytes;
        hold(bytes);
      };
      for (const [, text] of source.range({ start, end: afterPrefix(group) })) {
        const { path, writer, before } = v.parse(FormerRecord, JSON.parse(text));
        if (isInScope(query, path)) {
          const wasIn = matches(before === null ? null : decodeRecord(before, names));
          const isOwn = writer !== null && writer === uid;
          const known = changes.get(path);
          const hash =
            known === undefined ? createHash('sha256').update(path).digest('base64') : '';
          let isIn = known?.isIn ?? others.get(hash);
          if (isIn === undefined) {
            isIn = matches(get(path));
            grown += Number(isIn) - Number(wasIn);
          }
          const isNamed = isIn || wasIn || isOwn;
          if (known !== undefined) {
            known.hasBeenIn ||= wasIn;
            known.isOwn ||= isOwn;
          } else if (isNamed && (heldBytes < limits.maxHeldBytes || (isOwn && !isIn))) {
            changes.set(path, { isIn, hasBeenIn: wasIn, isOwn });
            holdMore(pathBytes(path));
          } else if (!others.has(hash)) {
            others.set(hash, isIn);
            holdMore(pathBytes(hash));
          }
        }
        while (isSliceOver()) yield undefined;
      }
      const isWhole = heldBytes < limits.maxHeldBytes;
      return { changes, grown, isComplete: isWhole && from >= numberAt(source, floorKey) };
    },
  };
}
