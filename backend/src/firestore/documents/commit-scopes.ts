import { memo } from '../../memo.ts';
import type { DocumentChange } from '../values/document.ts';
import { collectionIdOf, collectionOf } from '../values/resource-path.ts';
import { storedSize } from '../values/value-measure.ts';
import type { Commit } from './change-log.ts';

/**
 * The documents whose changes a listener is told of: one document or one collection by its path, a collection group, or all
 * documents.
 */
export type Scope = string;

export interface WrittenChange extends DocumentChange {
  /** The uid of the user who made it; null for anonymous callers and for the process itself. */
  readonly writer: string | null;
}

export const allChanges: Scope = '';
/** No path begins with a slash. */
export const groupScope = (collectionId: string): Scope => `/${collectionId}`;

/** Returns the changes of a commit by each scope that they are in. All listeners of all clients ask for them. */
export const changesByScope = memo(({ changes, writer }: Commit) => {
  const byScope = new Map<Scope, WrittenChange[]>();
  for (const change of changes) {
    const { path } = change;
    for (const scope of [path, collectionOf(path), groupScope(collectionIdOf(path)), allChanges]) {
      const known = byScope.get(scope);
      if (known === undefined) byScope.set(scope, [{ ...change, writer }]);
      else known.push({ ...change, writer });
    }
  }
  return byScope;
});

/** Returns the size of the documents of a commit, before and after it. */
export const sizeOf = memo(({ changes }: Commit) =>
  changes.reduce((sum, { before, after }) => sum + storedSize(before) + storedSize(after), 0),
);

type Listener = (commit: Commit) => void;

/** The listeners of commits. A commit costs nothing for those whose scope it does not change. */
export function createCommitListeners() {
  const byScope = new Map<Scope, Set<{ readonly listener: Listener }>>();
  return {
    /** Adds a listener; returns the function that removes it. */
    add(scope: Scope, listener: Listener): () => void {
      const entry = { listener };
      const entries = byScope.get(scope) ?? new Set();
      byScope.set(scope, entries.add(entry));
      return () => {
        if (entries.delete(entry) && entries.size === 0) byScope.delete(scope);
      };
    },
    /** Calls each listener that the commit concerns, once. */
    tell(commit: Commit) {
      const concerned = new Set<Listener>();
      for (const scope of changesByScope(commit).keys()) {
        for (const { listener } of byScope.get(scope) ?? []) concerned.add(listener);
      }
      for (const listener of concerned) listener(commit);
    },
  };
}
