import type { Steps } from '../../limits/slices.ts';
import type { Caller } from '../caller.ts';
import type { Commit } from '../documents/change-log.ts';
import type { Database, DatabaseView } from '../documents/database.ts';
import type { StoredDocument } from '../values/document.ts';
import type { Query } from '../query/query.ts';

/**
 * What one listener watches. A target knows what its client has been sent and answers the difference;
 * it knows nothing of frames and of other targets.
 */
export interface Target {
  /** To be waited for before `start`, unless it is undefined. */
  prepare(): Promise<void> | undefined;
  /**
   * The difference between what the client has of version `from` and the view; null: it has nothing. To be called in the turn
   * in which the view was opened.
   */
  start(view: DatabaseView, from: number | null, expectedCount: number | null): Steps<TargetStart>;
  /**
   * What commits change; throws PERMISSION_DENIED when the right to listen was lost.
   *
   * @param onSlice is called after each slice of long work, and may throw.
   */
  onCommits(commits: readonly Commit[], onSlice: () => void): readonly TargetDelta[];
  /** Throws PERMISSION_DENIED when the right to listen was lost. */
  checkRight(): void;
}

export interface TargetStart {
  /** The client must forget what it has before it takes anything. */
  readonly mustReset: boolean;
  /** Hands over the documents of the result that the client may lack. */
  readonly present: (take: (document: StoredDocument) => void) => Steps<void>;
  /** To be asked for after all documents were handed over. */
  readonly rest: () => Rest;
}

export interface Rest {
  readonly left: readonly LeftDelta[];
  /** The documents of the result, for the client to check that it has the same. */
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
  /** The same for the same query of the same caller. */
  readonly key: string;
  readonly database: Database;
  readonly caller: Caller;
}
