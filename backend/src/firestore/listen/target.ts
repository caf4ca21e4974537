import type { Caller } from '../caller.ts';
import type { Commit } from '../documents/change-log.ts';
import type { Database } from '../documents/database.ts';
import type { StoredDocument } from '../values/document.ts';
import type { Query } from '../query/query.ts';

/**
 * What one listener watches. A target knows what its client has been sent and answers the difference;
 * it knows nothing of frames and of other targets.
 */
export interface Target {
  /** To be waited for before `start`, unless it is undefined. */
  prepare(): Promise<void> | undefined;
  /** The difference between what the client has of version `from` and now; null: it has nothing. */
  start(from: number | null, expectedCount: number | null): TargetStart;
  /** What a commit changes; throws PERMISSION_DENIED when the right to listen was lost. */
  onCommit(commit: Commit): readonly TargetDelta[];
  /** Throws PERMISSION_DENIED when the right to listen was lost. */
  checkRight(): void;
}

export interface TargetStart {
  /** The client must forget what it has before it takes the deltas. */
  readonly mustReset: boolean;
  readonly deltas: readonly TargetDelta[];
  /** The documents of the result, for the client to check that it has the same. */
  readonly existing?: Existing;
}

export interface Existing {
  readonly count: number;
  readonly names: () => readonly string[];
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
