import { uidOf } from '../caller.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import { createRightCheck } from './list-verdicts.ts';
import type { LeftDelta, QueryTargetDeps, Target, TargetDelta } from './target.ts';
import { changesInScope, netChanges, type NetChange } from './net-changes.ts';
import { isInScope, orderKey } from '../query/query-match.ts';
import { isInWindow } from '../query/query-window.ts';

/**
 * A target of a query with a limit. Whether a document belongs to it depends on other documents, so the target keeps the
 * window.
 *
 * - A commit that changes nothing in the window and puts nothing before its end costs nothing; any
 *   other costs one read of the window.
 * - It starts over whenever its client resumes, which costs one window.
 * - A document that the user wrote is reported even when it is not in the window, for the reason given in `query-target`.
 */
export function createLimitTarget(deps: QueryTargetDeps): Target {
  const { query, database, caller } = deps;
  /** The versions of the documents in the window. */
  let sent: ReadonlyMap<string, number> = new Map();
  let last: Buffer | undefined;
  const { limit, offset, orderBy } = query;

  /** Replaces the window by the documents that are added to it, and tells which of them the client lacks. */
  const openWindow = () => {
    const before = sent;
    const next = new Map<string, number>();
    let end: StoredDocument | undefined;
    return {
      /** Adds a document; returns whether the client lacks it. */
      add(document: StoredDocument): boolean {
        end = document;
        next.set(document.path, document.updateVersion);
        return before.get(document.path) !== document.updateVersion;
      },
      /** Completes the window; returns the documents that have left it. */
      close(): readonly LeftDelta[] {
        sent = next;
        last = end && orderKey(end, orderBy);
        const gone = [...before.keys()].filter((path) => !next.has(path));
        return gone.map((path) => ({ kind: 'left', path }));
      },
    };
  };

  /** Reads the window again; the caller has just checked the right to listen. */
  const advance = (onSlice: () => void): readonly TargetDelta[] => {
    const window = openWindow();
    const lacking: StoredDocument[] = [];
    const reading = database.readPublished(query, (each) => {
      if (window.add(each)) lacking.push(each);
    });
    for (const _ of reading) onSlice();
    return [
      ...lacking.map((document) => ({ kind: 'present', document }) as const),
      ...window.close(),
    ];
  };

  const concerns = ({ path, after }: DocumentChange): boolean => {
    if (offset > 0 || sent.has(path)) return true;
    if (after === null || !isInWindow(query, after)) return false;
    if (limit === null || sent.size < limit || last === undefined) return true;
    const key = orderKey(after, orderBy);
    return key !== undefined && Buffer.compare(key, last) < 0;
  };

  const uid = uidOf(caller);
  /** Adds the documents of the user's own writes that are neither in the window nor reported yet. */
  const withOwn = <Delta extends TargetDelta>(
    deltas: readonly Delta[],
    changes: ReadonlyMap<string, NetChange>,
  ): readonly (Delta | LeftDelta)[] => {
    if (uid === null) return deltas;
    const named = new Set(deltas.map((each) => (each.kind === 'left' ? each.path : '')));
    const own = [...changes.values()].filter(({ writers }) => writers.has(uid));
    const outside = own.filter(({ path }) => !sent.has(path) && !named.has(path));
    return [...deltas, ...outside.map(({ path }): LeftDelta => ({ kind: 'left', path }))];
  };

  const checkRight = createRightCheck(deps);

  return {
    checkRight: () => checkRight(),
    isInScope: (path) => isInScope(query, path),
    prepare: () => database.prepare(caller, query),
    *start(view, from) {
      checkRight();
      database.checkIndexes(query);
      const recent = from === null ? [] : (yield* view.changesSince(query, from)).changes;
      const changes = new Map(recent.map((each) => [each.path, each]));
      const window = openWindow();
      return {
        mustReset: from !== null,
        present: (take) =>
          view.read(query, (each) => {
            if (window.add(each)) take(each);
          }),
        rest: () => ({ left: withOwn(window.close(), changes) }),
      };
    },
    onCommits(commits, onSlice) {
      const changes = changesInScope(query, commits);
      if (changes.length === 0) return [];
      checkRight(commits.at(-1));
      const deltas = changes.some(concerns) ? advance(onSlice) : [];
      return withOwn(deltas, netChanges(changes));
    },
  };
}
