import type { Commit } from './change-log.ts';
import type { DocumentChange } from './document.ts';

/** What several commits did to each document together: its state before the first and after the last. */
export function netChanges(commits: readonly Commit[]): ReadonlyMap<string, DocumentChange> {
  const byPath = new Map<string, DocumentChange>();
  for (const { changes } of commits) {
    for (const change of changes) {
      const before = byPath.get(change.path)?.before;
      byPath.set(change.path, before === undefined ? change : { ...change, before });
    }
  }
  return byPath;
}
