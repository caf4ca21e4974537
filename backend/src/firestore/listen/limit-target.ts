import { ADMIN, uidOf } from '../caller.ts';
import { isSameState, type DocumentChange, type StoredDocument } from '../values/document.ts';
import { createRightCheck } from './list-verdicts.ts';
import type { QueryTargetDeps, Target, TargetDelta } from './target.ts';
import { netChanges, writtenBy, type NetChange } from './net-changes.ts';
import { isInScope, orderKey } from '../query/query-match.ts';
import { evaluateQuery, isInWindow } from '../query/query-window.ts';

/**
 * A query with a limit: what belongs to it depends on its neighbours, so the window is kept.
 *
 * - A commit that touches nothing in the window and puts nothing before its end costs nothing; any
 *   other costs one read of the window.
 * - It resumes from a version the change log reaches back to, at the cost of the window and the
 *   changes; from an older one it starts over, which is one window too.
 * - A document that the user wrote is named also when it is not in the window, for the reason that `query-target`
 *   gives.
 */
export function createLimitTarget(deps: QueryTargetDeps): Target {
  const { query, database, caller } = deps;
  let sent: ReadonlyMap<string, StoredDocument> = new Map();
  let last: Buffer | undefined;
  const { limit, offset, orderBy } = query;

  const setSent = (documents: readonly StoredDocument[]) => {
    const end = documents.at(-1);
    sent = new Map(documents.map((each) => [each.path, each]));
    last = end && orderKey(end, orderBy);
  };

  /** For somebody whose right was just checked. */
  const advance = (): readonly TargetDelta[] => {
    const before = sent;
    setSent(database.query(ADMIN, query));
    const deltas: TargetDelta[] = [];
    for (const [path, document] of sent) {
      if (!isSameState(before.get(path) ?? null, document))
        deltas.push({ kind: 'present', document });
    }
    for (const path of before.keys()) if (!sent.has(path)) deltas.push({ kind: 'left', path });
    return deltas;
  };

  const concerns = ({ path, after }: DocumentChange): boolean => {
    if (offset > 0 || sent.has(path)) return true;
    if (after === null || !isInWindow(query, after)) return false;
    if (limit === null || sent.size < limit || last === undefined) return true;
    const key = orderKey(after, orderBy);
    return key !== undefined && Buffer.compare(key, last) < 0;
  };

  /** Unchanged documents of the former window are among the first ones now, as far as changes moved them. */
  const windowBefore = (changes: ReadonlyMap<string, NetChange>): readonly StoredDocument[] => {
    const now = database.query(ADMIN, { ...query, limit: (limit ?? Infinity) + changes.size });
    const unchanged = now.filter((each) => !changes.has(each.path));
    const former = [...changes.values()].flatMap((each) => each.before ?? []);
    return evaluateQuery(query, [...unchanged, ...former]);
  };

  const changesSince = (from: number) => {
    const { changes, isComplete } = database.changesSince(query, from);
    return { changes: new Map(changes.map((each) => [each.path, each])), isComplete };
  };

  const uid = uidOf(caller);
  /** Adds the documents of the user's own writes that are neither in the window nor named yet. */
  const withOwn = (
    deltas: readonly TargetDelta[],
    changes: ReadonlyMap<string, NetChange>,
  ): readonly TargetDelta[] => {
    if (uid === null) return deltas;
    const named = new Set(deltas.map((each) => (each.kind === 'left' ? each.path : '')));
    const own = [...changes.values()].filter(({ writers }) => writers.has(uid));
    const outside = own.filter(({ path }) => !sent.has(path) && !named.has(path));
    return [...deltas, ...outside.map(({ path }) => ({ kind: 'left', path }) as const)];
  };

  const checkRight = createRightCheck(deps);

  return {
    checkRight: () => checkRight(),
    prepare: () => database.prepare(caller, query),
    start(from, expectedCount) {
      checkRight();
      if (from === null) return { mustReset: false, deltas: advance() };
      const { changes, isComplete } = changesSince(from);
      const past = isComplete && offset === 0 ? windowBefore(changes) : undefined;
      const isUsable = past !== undefined && (expectedCount ?? past.length) === past.length;
      setSent(isUsable ? past : []);
      return { mustReset: !isUsable, deltas: withOwn(advance(), changes) };
    },
    onCommit(commit) {
      const changes = commit.changes.filter((each) => isInScope(query, each.path));
      if (changes.length === 0) return [];
      checkRight(commit);
      const deltas = changes.some(concerns) ? advance() : [];
      return withOwn(deltas, netChanges(writtenBy(commit.writer, changes)));
    },
  };
}
