import { inSlices, type Steps } from '../../limits/slices.ts';
import { uidOf } from '../caller.ts';
import type { DatabaseView } from '../documents/database.ts';
import type { StoredDocument } from '../values/document.ts';
import { createRightCheck } from './list-verdicts.ts';
import type { QueryTargetDeps, Target, TargetDelta, TargetStart } from './target.ts';
import { changesInScope, netChanges, type NetChange } from './net-changes.ts';
import { isInScope } from '../query/query-match.ts';
import { isInWindow } from '../query/query-window.ts';

/**
 * A target of a query without a limit. A document alone decides whether it belongs to the query, so the target keeps no
 * state, and the cost of a commit or a resumption is proportional to the changes.
 *
 * - It resumes exactly from a version that the change log reaches back to.
 * - From an older one it starts over, as hosted Firestore does after half an hour.
 * - A document that the user wrote is reported even when it does not belong to the query, and so is one that entered and
 *   left it since. The SDK shows an acknowledged write with its guess of the result, from a copy that may be stale, until
 *   the server reports the document.
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

  function* namesIn(view: DatabaseView): Steps<readonly string[]> {
    const names: string[] = [];
    yield* view.read(query, (each) => void names.push(each.name));
    return names;
  }

  function* resume(
    view: DatabaseView,
    from: number,
    expectedCount: number | null,
  ): Steps<TargetStart> {
    const { changes, isComplete } = yield* view.changesSince(query, from);
    const count = yield* view.count(query);
    const grown = changes.reduce(
      (sum, { before, after }) => sum + Number(belongs(after)) - Number(belongs(before)),
      0,
    );
    const deltas = deltasOf(changes);
    const left = deltas.filter((each) => each.kind === 'left');
    if (!isComplete || (expectedCount !== null && expectedCount !== count - grown)) {
      return { mustReset: true, present: (take) => view.read(query, take), rest: () => ({ left }) };
    }
    const present = deltas.flatMap((each) => (each.kind === 'present' ? each.document : []));
    const isChecked = left.length > 0 && count <= maxChecked;
    const existing = { count, names: () => namesIn(view) };
    return {
      mustReset: false,
      present: (take) => inSlices(present, take),
      rest: () => (isChecked ? { left, existing } : { left }),
    };
  }

  const checkRight = createRightCheck(deps);

  return {
    checkRight: () => checkRight(),
    isInScope: (path) => isInScope(query, path),
    prepare: () => database.prepare(caller, query),
    *start(view, from, expectedCount) {
      checkRight();
      database.checkIndexes(query);
      if (from === null) {
        const present: TargetStart['present'] = (take) => view.read(query, take);
        return { mustReset: false, present, rest: () => ({ left: [] }) };
      }
      return yield* resume(view, from, expectedCount);
    },
    onCommits(commits) {
      const changes = changesInScope(query, commits);
      if (changes.length === 0) return [];
      checkRight(commits.at(-1));
      return deltasOf([...netChanges(changes).values()]);
    },
  };
}

/** Up to this count, an exact answer with removals has a filter to check the client's state, as on hosted Firestore. */
const maxChecked = 1000;
