import { createHash } from 'node:crypto';
import type { Commit } from '../documents/change-log.ts';
import { permissionDenied } from '../firestore-error.ts';
import type { QueryTargetDeps } from './target.ts';

/** The verdicts after a commit, by who asks and for which query. */
const verdicts = new WeakMap<Commit, Map<string, boolean>>();

/**
 * Whether somebody may still list a query after a commit: asked of the policy once, whatever number of targets has it.
 */
export function createRightChecks({ query, database, caller }: QueryTargetDeps) {
  const mayList = () => database.mayList(caller, query);
  let key: string | undefined;

  const mayListAfter = (commit: Commit): boolean => {
    key ??= hashOf([caller, query]);
    const known = verdicts.get(commit) ?? new Map<string, boolean>();
    verdicts.set(commit, known);
    const verdict = known.get(key) ?? mayList();
    known.set(key, verdict);
    return verdict;
  };

  return {
    /** @throws {FirestoreError} PERMISSION_DENIED */
    check() {
      if (!mayList()) throw permissionDenied();
    },
    /** @throws {FirestoreError} PERMISSION_DENIED */
    checkAfter(commit: Commit) {
      if (!mayListAfter(commit)) throw permissionDenied();
    },
  };
}

const hashOf = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts, distinct)).digest('base64url');

/** JSON has no form for some values, and one form for others. */
function distinct(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { integer: String(value) };
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (value instanceof Map) return [...value];
  return value;
}
