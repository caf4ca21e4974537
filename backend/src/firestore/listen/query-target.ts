import { createSliceMeter, finish, inSlices, type Steps } from '../../limits/slices.ts';
import { uidOf, type Caller } from '../../caller.ts';
import { memo } from '../../memo.ts';
import { pathBytes, type Commit, type Recent } from '../documents/change-log.ts';
import { changesByScope, groupScope, type WrittenChange } from '../documents/commit-scopes.ts';
import type { Database, DatabaseView } from '../documents/database.ts';
import { permissionDenied } from '../firestore-error.ts';
import { isInScope, orderKey } from '../query/query-match.ts';
import { isInWindow } from '../query/query-window.ts';
import type { Query } from '../query/query.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import type { Answer, Deltas, Target } from './target.ts';

export interface QueryTargetDeps {
  readonly query: Query;
  /** A key that is equal for the same query of the same caller. */
  readonly key: string;
  readonly database: Database;
  readonly caller: Caller;
  /** Charges for bytes that are kept, besides the query. @throws {LimitError} */
  readonly keep: (bytes: number) => void;
}

/** Up to this count, an exact answer with removals has a filter to check the client's state, as on hosted Firestore. */
const maxChecked = 1000;

const noRecent: Recent = { changes: new Map(), grown: 0, isComplete: true };

/**
 * A target of a query.
 *
 * - Without a limit, a document alone decides whether it belongs to the query. The target keeps no state, and the cost of a
 *   commit is proportional to the changes. So is that of a resumption where an index alone tells the number of documents.
 * - It resumes exactly from a version that the change log reaches back to. From an older one it starts over, as hosted
 *   Firestore does after half an hour.
 * - With a limit, the target keeps the window. A commit that changes nothing in the window and puts nothing before its end
 *   costs nothing; any other costs one read of the window. A resumption starts over, which costs one window as well.
 * - A document that the user wrote is reported even when it does not belong to the query, and so is one that entered and
 *   left it since. The SDK shows an acknowledged write with its guess of the result, from a copy that may be stale, until
 *   the server reports the document.
 */
export function createQueryTarget(deps: QueryTargetDeps): Target {
  const { query, database, caller, keep } = deps;
  const { limit, offset, orderBy } = query;
  const collection =
    query.parent === '' ? query.collectionId : `${query.parent}/${query.collectionId}`;
  const scope = query.allDescendants ? groupScope(query.collectionId) : collection;
  const isLimited = limit !== null || offset > 0;
  /** The versions of the documents in the window of a query with a limit, and the end of the window. */
  let sent: ReadonlyMap<string, number> = new Map();
  let last: Buffer | undefined;
  let windowBytes = 0;
  let keptBytes = 0;
  const hold = (bytes: number) => keep((keptBytes += bytes));
  const keepWindowAlone = () => keep((keptBytes = windowBytes));

  /** Reads the window again, and passes its documents on. */
  function* readWindow(read: DatabaseView['read'], take: Answer['present']): Steps<void> {
    const versions = new Map<string, number>();
    let bytes = 0;
    let end: StoredDocument | undefined;
    yield* read(query, (document) => {
      end = document;
      versions.set(document.path, document.updateVersion);
      bytes += pathBytes(document.path);
      hold(pathBytes(document.path));
      take(document);
    });
    windowBytes = bytes;
    sent = versions;
    last = end && orderKey(end, orderBy);
  }

  const belongs = (document: StoredDocument | null) =>
    document !== null && (isLimited ? sent.has(document.path) : isInWindow(query, document));

  const uid = uidOf(caller);
  /** Returns the net effect of changes, the oldest first. */
  function* deltasOf(changes: readonly WrittenChange[]): Steps<Deltas> {
    const deltas = new Map<string, StoredDocument | null>();
    const visit = ({ path, before, after, writer }: WrittenChange) => {
      if (belongs(after)) deltas.set(path, after);
      else if ((uid !== null && writer === uid) || belongs(before) || deltas.has(path)) {
        deltas.set(path, null);
      }
    };
    yield* inSlices(changes, visit, database.elapsedMs);
    return deltas;
  }

  const isConcerned = ({ path, after }: DocumentChange): boolean => {
    if (offset > 0 || sent.has(path)) return true;
    if (after === null || !isInWindow(query, after)) return false;
    if (limit === null || sent.size < limit || last === undefined) return true;
    const key = orderKey(after, orderBy);
    return key !== undefined && Buffer.compare(key, last) < 0;
  };

  /** Reads the window again; returns what has entered, changed in or left it. */
  function* advance(): Steps<Deltas> {
    const before = sent;
    const deltas = new Map<string, StoredDocument | null>();
    yield* readWindow(database.readPublished, (each) => {
      if (before.get(each.path) !== each.updateVersion) deltas.set(each.path, each);
    });
    for (const path of before.keys()) if (!sent.has(path)) deltas.set(path, null);
    keepWindowAlone();
    return deltas;
  }

  function* deltasSince(changes: readonly WrittenChange[]): Steps<Deltas> {
    let isMoved = false;
    const visit = (each: WrittenChange) => {
      isMoved ||= isConcerned(each);
    };
    if (isLimited) yield* inSlices(changes, visit, database.elapsedMs);
    const moved = isMoved ? yield* advance() : [];
    return new Map([...(yield* deltasOf(changes)), ...moved]);
  }

  return {
    scope,
    *start(view, { from, expectedCount }, answer) {
      database.checkList(caller, query);
      const { changes, grown, isComplete } =
        from === null ? noRecent : yield* view.changesSince({ query, from, uid, hold });
      let isWhole = from === null || isLimited || !isComplete;
      const count = isWhole ? 0 : yield* view.count(query);
      isWhole ||= expectedCount !== null && expectedCount !== count - grown;
      answer.begin(from !== null && isWhole);
      if (isLimited) yield* readWindow(view.read, answer.present);
      else if (isWhole) yield* view.read(query, answer.present);
      const isSliceOver = createSliceMeter(database.elapsedMs);
      const left: string[] = [];
      for (const [path, { isIn, hasBeenIn, isOwn }] of changes) {
        const isInNow = isLimited ? sent.has(path) : isIn;
        const document = isInNow && !isWhole ? view.get(path) : null;
        if (document !== null) answer.present(document);
        if (!isInNow && (isOwn || (hasBeenIn && !isLimited))) left.push(path);
        while (isSliceOver()) yield undefined;
      }
      // The client checks the filter against the documents that it has by then: the new ones, and still those that left.
      if (!isWhole && left.length > 0 && count <= maxChecked) {
        const names: string[] = [];
        yield* view.read(query, ({ name }) => {
          hold(pathBytes(name));
          names.push(name);
        });
        yield* answer.existing(names);
      }
      yield* inSlices(left, answer.left, database.elapsedMs);
      keepWindowAlone();
    },
    onCommits(commits, onSlice) {
      const changes = commits
        .flatMap((commit) => changesByScope(commit).get(scope) ?? [])
        .filter(({ path }) => isInScope(query, path));
      const lastCommit = commits.at(-1);
      if (lastCommit === undefined || changes.length === 0) return new Map();
      checkRight(deps, lastCommit);
      return finish(deltasSince(changes), onSlice);
    },
  };
}

/** The verdicts after a commit, by caller and query. */
const verdictsAfter = memo<Commit, Map<string, boolean>>(() => new Map());

/** Throws PERMISSION_DENIED unless the caller may list the query, which is decided once for each commit. */
function checkRight({ query, key, database, caller }: QueryTargetDeps, commit: Commit): void {
  const known = verdictsAfter(commit);
  const isAllowed = known.get(key) ?? database.mayList(caller, query);
  known.set(key, isAllowed);
  if (!isAllowed) throw permissionDenied();
}
