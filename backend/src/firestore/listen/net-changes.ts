import type { Commit } from '../documents/change-log.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';

/** The net effect of several commits on one document: its state before the first and after the last. */
export interface NetChange extends DocumentChange {
  /** Every state that was replaced, so also one that came after the first commit and went before the last. */
  readonly formers: readonly StoredDocument[];
  /** The uids of those who changed it. */
  readonly writers: ReadonlySet<string>;
}

export function netChanges(commits: readonly Commit[]): ReadonlyMap<string, NetChange> {
  const byPath = new Map<string, NetChange & { formers: StoredDocument[]; writers: Set<string> }>();
  for (const { writer, changes } of commits) {
    for (const change of changes) {
      const { path, before, after } = change;
      const known = byPath.get(path);
      const formers = known?.formers ?? [];
      if (before !== null) formers.push(before);
      const writers = known?.writers ?? new Set();
      if (writer !== null) writers.add(writer);
      const first = known === undefined ? before : known.before;
      byPath.set(path, { path, before: first, after, formers, writers });
    }
  }
  return byPath;
}
