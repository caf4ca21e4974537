import { isJsonObject, type JsonObject } from '../json.ts';
import type { Commit } from './change-log.ts';
import type { Caller } from './caller.ts';
import type { Database } from './database.ts';
import type { StoredDocument } from './document.ts';
import { FirestoreError, invalidArgument, permissionDenied } from './firestore-error.ts';
import { decodeQuery } from './query-codec.ts';
import { isInScope } from './query-match.ts';
import { evaluateQuery } from './query-window.ts';
import type { Query } from './query.ts';

/**
 * What one listener watches. A target remembers what its client has been sent and answers the
 * difference; it knows nothing of frames and of other targets.
 */
export interface Target {
  /** The difference between what the client has of version `from` and now; null: it has nothing. */
  start(from: number | null, expectedCount: number | null): TargetStart;
  /** What a commit changes; throws PERMISSION_DENIED when the right to listen was lost. */
  onCommit(commit: Commit): readonly TargetDelta[];
  /** Throws PERMISSION_DENIED when the right to listen was lost. */
  checkRight(): void;
}

interface TargetStart {
  /** The client must forget what it has before it takes the deltas. */
  readonly mustReset: boolean;
  readonly deltas: readonly TargetDelta[];
}

export type TargetDelta =
  | { readonly kind: 'present'; readonly document: StoredDocument }
  | { readonly kind: 'left'; readonly path: string };

export function createTarget(json: JsonObject, database: Database, caller: Caller): Target {
  const { documents, query } = json;
  if (isJsonObject(documents)) {
    const names: unknown = documents['documents'];
    if (!Array.isArray(names) || names.length !== 1) {
      throw invalidArgument('A documents target must have exactly one document.');
    }
    const path = database.names.toDocumentPath(names[0]);
    return createDocumentTarget(path, database, caller);
  }
  if (isJsonObject(query)) {
    const parent = database.names.toParentPath(query['parent']);
    return createQueryTarget(decodeQuery(query['structuredQuery'], parent), database, caller);
  }
  throw new FirestoreError('UNIMPLEMENTED', 'Only documents and query targets are served.');
}

function createDocumentTarget(path: string, database: Database, caller: Caller): Target {
  const current = (): TargetDelta => {
    const document = database.get(caller, path);
    return document === null ? { kind: 'left', path } : { kind: 'present', document };
  };
  return {
    start(from, expectedCount) {
      const delta = current();
      const isSeen =
        from !== null &&
        expectedCount !== 0 &&
        delta.kind === 'present' &&
        delta.document.updateVersion <= from;
      return { mustReset: false, deltas: isSeen ? [] : [delta] };
    },
    onCommit: ({ changes }) => (changes.some((each) => each.path === path) ? [current()] : []),
    checkRight: () => void current(),
  };
}

function createQueryTarget(query: Query, database: Database, caller: Caller): Target {
  let sent = new Map<string, StoredDocument>();
  const touches = ({ changes }: Commit) => changes.some((each) => isInScope(query, each.path));

  const checkRight = () => {
    if (!database.mayList(caller, query)) throw permissionDenied();
  };

  const advance = (): readonly TargetDelta[] => {
    const before = sent;
    sent = toMap(database.query(caller, query));
    const deltas: TargetDelta[] = [];
    for (const [path, document] of sent) {
      if (before.get(path) !== document) deltas.push({ kind: 'present', document });
    }
    for (const path of before.keys()) if (!sent.has(path)) deltas.push({ kind: 'left', path });
    return deltas;
  };

  /** The result as it was at a version; undefined when the log does not reach back to it. */
  const resultAt = (version: number): readonly StoredDocument[] | undefined => {
    const commits = database.commitsSince(version)?.filter(touches);
    if (commits === undefined) return undefined;
    return commits.length === 0
      ? database.query(caller, query)
      : evaluateQuery(query, rewind(database.group(query.collectionId), commits));
  };

  return {
    start(from, expectedCount) {
      checkRight();
      const past = from === null ? undefined : resultAt(from);
      const isUsable = past !== undefined && (expectedCount ?? past.length) === past.length;
      sent = isUsable ? toMap(past) : new Map<string, StoredDocument>();
      return { mustReset: from !== null && !isUsable, deltas: advance() };
    },
    onCommit: (commit) => (touches(commit) ? advance() : []),
    checkRight,
  };
}

const toMap = (documents: readonly StoredDocument[]) =>
  new Map(documents.map((each) => [each.path, each]));

/** The group as it was before some commits, by undoing their changes. */
function rewind(
  documents: Iterable<StoredDocument>,
  commits: readonly Commit[],
): readonly StoredDocument[] {
  const byPath = new Map<string, StoredDocument | null>();
  for (const document of documents) byPath.set(document.path, document);
  for (const commit of commits.toReversed()) {
    for (const { path, before } of commit.changes) byPath.set(path, before);
  }
  return [...byPath.values()].filter((each) => each !== null);
}
