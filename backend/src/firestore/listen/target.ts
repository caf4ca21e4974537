import type { Steps } from '../../limits/slices.ts';
import type { Caller } from '../caller.ts';
import type { Commit } from '../documents/change-log.ts';
import type { Database, DatabaseView } from '../documents/database.ts';
import type { StoredDocument } from '../values/document.ts';
import type { Query } from '../query/query.ts';

/**
 * The document or query of one listener. A target knows which documents its client has and returns the difference; it is
 * independent of the protocol and of other targets.
 */
export interface Target {
  /** Prepares the target. If it returns a promise, the caller waits for it before it calls `start`. */
  prepare(): Promise<void> | undefined;
  /**
   * Computes the difference between the client's state and the view. It is called in the same turn in which the view was
   * opened.
   *
   * @param from the version of the client's state; null when it has none.
   * @param expectedCount the number of documents that the client has; null when unknown.
   */
  start(view: DatabaseView, from: number | null, expectedCount: number | null): Steps<TargetStart>;
  /** Whether a change of the document may change the result. */
  isInScope(path: string): boolean;
  /**
   * Returns the changes that commits make.
   *
   * @param onSlice is called after each slice of long work, and may throw.
   * @throws {FirestoreError} PERMISSION_DENIED when the right to listen was lost.
   */
  onCommits(commits: readonly Commit[], onSlice: () => void): readonly TargetDelta[];
  /** @throws {FirestoreError} PERMISSION_DENIED when the right to listen was lost. */
  checkRight(): void;
}

export interface TargetStart {
  /** Whether the client must discard its documents of the target first. */
  readonly mustReset: boolean;
  /** Passes the documents of the result that the client may lack to `take`. */
  readonly present: (take: (document: StoredDocument) => void) => Steps<void>;
  /** Returns the rest of the answer; called after `present` has passed all documents. */
  readonly rest: () => Rest;
}

export interface Rest {
  readonly left: readonly LeftDelta[];
  /** The documents of the result, so that the client can check that it has the same. */
  readonly existing?: Existing;
}

export interface Existing {
  readonly count: number;
  readonly names: () => Steps<readonly string[]>;
}

export interface LeftDelta {
  readonly kind: 'left';
  readonly path: string;
}

export type TargetDelta =
  { readonly kind: 'present'; readonly document: StoredDocument } | LeftDelta;

export interface QueryTargetDeps {
  readonly query: Query;
  /** A key that is equal for the same query of the same caller. */
  readonly key: string;
  readonly database: Database;
  readonly caller: Caller;
}
