import type { Commit } from './change-log.ts';
import type { DocumentChange, StoredDocument } from './document.ts';
import { permissionDenied } from './firestore-error.ts';
import type { QueryTargetDeps, Target, TargetDelta, TargetStart } from './target.ts';
import { netChanges } from './net-changes.ts';
import { isInScope } from './query-match.ts';
import { isInWindow } from './query-window.ts';

/**
 * A query without a limit: whether a document belongs to it is seen from the document alone, so
 * nothing is kept, and a commit or a resumption costs as much as it changed.
 *
 * - A version the change log reaches back to resumes exactly.
 * - From an older one, what changed since is sent again, and the count and the names of the result
 *   tell the client what is gone.
 */
export function createQueryTarget({ query, database, caller }: QueryTargetDeps): Target {
  const belongs = (document: StoredDocument | null) =>
    document !== null && isInWindow(query, document);

  const deltaOf = ({ path, before, after }: DocumentChange): readonly TargetDelta[] => {
    if (after !== null && belongs(after)) {
      return after === before ? [] : [{ kind: 'present', document: after }];
    }
    return belongs(before) ? [{ kind: 'left', path }] : [];
  };

  const whole = (mustReset: boolean): TargetStart => ({
    mustReset,
    deltas: present(database.query(caller, query)),
  });

  const resumeByLog = (commits: readonly Commit[], expectedCount: number | null): TargetStart => {
    const changes = [...netChanges(commits).values()].filter((each) => isInScope(query, each.path));
    const grown = changes.reduce(
      (sum, { before, after }) => sum + Number(belongs(after)) - Number(belongs(before)),
      0,
    );
    const isUsable = expectedCount === null || expectedCount === database.count(query) - grown;
    return isUsable ? { mustReset: false, deltas: changes.flatMap(deltaOf) } : whole(true);
  };

  const resumeByHistory = (from: number, expectedCount: number | null): TargetStart => {
    const changed = database.changedSince(query.collectionId, from).filter(belongs);
    const count = database.count(query);
    const start = { mustReset: false, deltas: present(changed) };
    if (changed.length === 0 && expectedCount === count) return start;
    const names = () => database.query(caller, query).map((each) => each.name);
    return { ...start, existing: { count, names } };
  };

  const checkRight = () => {
    if (!database.mayList(caller, query)) throw permissionDenied();
  };

  return {
    checkRight,
    start(from, expectedCount) {
      checkRight();
      if (from === null) return whole(false);
      const commits = database.commitsSince(from);
      return commits === undefined
        ? resumeByHistory(from, expectedCount)
        : resumeByLog(commits, expectedCount);
    },
    onCommit({ changes }) {
      const inScope = changes.filter((each) => isInScope(query, each.path));
      if (inScope.length > 0) checkRight();
      return inScope.flatMap(deltaOf);
    },
  };
}

const present = (documents: readonly StoredDocument[]): readonly TargetDelta[] =>
  documents.map((document) => ({ kind: 'present', document }));
