import type { Steps } from '../../limits/slices.ts';
import type { Commit } from '../documents/change-log.ts';
import type { Scope } from '../documents/commit-scopes.ts';
import type { DatabaseView } from '../documents/database.ts';
import type { StoredDocument } from '../values/document.ts';

/**
 * The document or query of one listener. A target knows which documents its client has and returns the difference; it is
 * independent of the protocol and of other targets.
 */
export interface Target {
  /**
   * Answers with the difference between the client's state and the view. It is called in the same turn in which the view
   * was opened.
   */
  start(view: DatabaseView, resume: Resume, answer: Answer): Steps<void>;
  /** No change outside of it changes the result. */
  readonly scope: Scope;
  /**
   * Returns the changes that commits make.
   *
   * @param onSlice is called after each slice of long work, and may throw.
   * @throws {FirestoreError} PERMISSION_DENIED when the right to listen was lost.
   */
  onCommits(commits: readonly Commit[], onSlice: () => void): Deltas;
}

export interface Resume {
  /** The version of the client's state; null when it has none. */
  readonly from: number | null;
  /** The number of documents that the client has; null when unknown. */
  readonly expectedCount: number | null;
}

/** Receives the first answer of a target, in this order. */
export interface Answer {
  /** @param mustReset whether the client must discard its documents of the target first. */
  readonly begin: (mustReset: boolean) => void;
  /** Receives a document of the result that the client may lack. */
  readonly present: (document: StoredDocument) => void;
  /** Receives the names of the whole result, so that the client can check that it has the same. */
  readonly existing: (names: readonly string[]) => Steps<void>;
  /** Receives the path of a document that does not belong to the result. */
  readonly left: (path: string) => void;
}

/** The documents of the result that are new or changed, by path; null for one that does not belong to it. */
export type Deltas = ReadonlyMap<string, StoredDocument | null>;
