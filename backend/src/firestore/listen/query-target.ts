import { uidOf } from '../caller.ts';
import type { StoredDocument } from '../values/document.ts';
import { createRightCheck } from './list-verdicts.ts';
import type { QueryTargetDeps, Target, TargetDelta, TargetStart } from './target.ts';
import { netChanges, writtenBy, type NetChange } from './net-changes.ts';
import { isInScope } from '../query/query-match.ts';
import { isInWindow } from '../query/query-window.ts';

/**
 * A query without a limit: whether a document belongs to it is seen from the document alone, so
 * nothing is kept, and a commit or a resumption costs as much as it changed.
 *
 * - A version the change log reaches back to resumes exactly.
 * - From an older one, what changed since is sent again, and the count and the names of the result
 *   tell the client what is gone.
 * - A document that the user wrote is named also when it does not belong to the query, and so is one that came and
 *   went since. The SDK shows an acknowledged write as it guessed the result, from a copy that may be stale, until it is
 *   told of the document.
 */
export function createQueryTarget(deps: QueryTargetDeps): Target {
  const { query, database, caller } = deps;
  const belongs = (document: StoredDocument | null) =>
    document !== null && isInWindow(query, document);

  const uid = uidOf(caller);
  const deltaOf = ({ path, after, formers, writers }: NetChange): readonly TargetDelta[] => {
    if (after !== null && belongs(after)) return [{ kind: 'present', document: after }];
    const isOwn = uid !== null && writers.has(uid);
    return isOwn || formers.some(belongs) ? [{ kind: 'left', path }] : [];
  };
  const deltasOf = (changes: readonly NetChange[]) => changes.flatMap(deltaOf);

  const everything = () => present(database.query(caller, query));
  const names = () => database.query(caller, query).map((each) => each.name);

  const resumeByLog = (
    changes: readonly NetChange[],
    expectedCount: number | null,
  ): TargetStart => {
    const count = database.count(query);
    const grown = changes.reduce(
      (sum, { before, after }) => sum + Number(belongs(after)) - Number(belongs(before)),
      0,
    );
    const deltas = deltasOf(changes);
    const left = deltas.filter((each) => each.kind === 'left');
    if (expectedCount !== null && expectedCount !== count - grown) {
      return { mustReset: true, deltas: [...everything(), ...left] };
    }
    const start = { mustReset: false, deltas };
    const isChecked = left.length > 0 && count <= MAX_CHECKED;
    return isChecked ? { ...start, existing: { count, names } } : start;
  };

  const resumeByHistory = (
    from: number,
    changes: readonly NetChange[],
    expectedCount: number | null,
  ): TargetStart => {
    const changed = database.changedSince(query.collectionId, from).filter(belongs);
    const count = database.count(query);
    const left = deltasOf(changes).filter((each) => each.kind === 'left');
    const deltas = [...present(changed), ...left];
    const isSame = deltas.length === 0 && expectedCount === count;
    return { mustReset: false, deltas, ...(isSame ? {} : { existing: { count, names } }) };
  };

  const checkRight = createRightCheck(deps);

  return {
    checkRight: () => checkRight(),
    prepare: () => database.prepare(caller, query),
    start(from, expectedCount) {
      checkRight();
      if (from === null) return { mustReset: false, deltas: everything() };
      const { changes, isComplete } = database.changesSince(query, from);
      return isComplete
        ? resumeByLog(changes, expectedCount)
        : resumeByHistory(from, changes, expectedCount);
    },
    onCommit(commit) {
      const changes = commit.changes.filter((each) => isInScope(query, each.path));
      if (changes.length === 0) return [];
      checkRight(commit);
      return deltasOf([...netChanges(writtenBy(commit.writer, changes)).values()]);
    },
  };
}

/** An exact answer is checked against the client's count where that costs little, as hosted Firestore does. */
const MAX_CHECKED = 1000;

const present = (documents: readonly StoredDocument[]): readonly TargetDelta[] =>
  documents.map((document) => ({ kind: 'present', document }));
