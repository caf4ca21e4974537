import type { Commit } from '../documents/change-log.ts';
import { permissionDenied } from '../firestore-error.ts';
import type { QueryTargetDeps } from './target.ts';

/** The verdicts after a commit, by caller and query. */
const verdicts = new WeakMap<Commit, Map<string, boolean>>();

/** Returns a check that throws PERMISSION_DENIED unless the caller may list the query, decided once per commit. */
export function createRightCheck({ query, key, database, caller }: QueryTargetDeps) {
  const mayList = () => database.mayList(caller, query);

  const mayListAfter = (commit: Commit): boolean => {
    const known = verdicts.get(commit) ?? new Map<string, boolean>();
    verdicts.set(commit, known);
    const verdict = known.get(key) ?? mayList();
    known.set(key, verdict);
    return verdict;
  };

  return (commit?: Commit): void => {
    const isAllowed = commit === undefined ? mayList() : mayListAfter(commit);
    if (!isAllowed) throw permissionDenied();
  };
}
