import type { DocumentChange, StoredDocument } from '../values/document.ts';

export interface WrittenChange extends DocumentChange {
  /** The uid of the user who made it; null for anonymous callers and for the process itself. */
  readonly writer: string | null;
}

/** The net effect of several changes on one document: its state before the first and after the last. */
export interface NetChange extends DocumentChange {
  /** Every state that was replaced, including those between the first and the last commit. */
  readonly formers: readonly StoredDocument[];
  /** The uids of the users who changed it. */
  readonly writers: ReadonlySet<string>;
}

/** Merges changes by document. @param changes the oldest first. */
export function netChanges(changes: Iterable<WrittenChange>): ReadonlyMap<string, NetChange> {
  const byPath = new Map<string, NetChange & { formers: StoredDocument[]; writers: Set<string> }>();
  for (const { path, before, after, writer } of changes) {
    const known = byPath.get(path);
    const formers = known?.formers ?? [];
    if (before !== null) formers.push(before);
    const writers = known?.writers ?? new Set();
    if (writer !== null) writers.add(writer);
    byPath.set(path, { path, before: known ? known.before : before, after, formers, writers });
  }
  return byPath;
}
