import { isJsonObject, type JsonObject } from '../json.ts';
import type { Commit } from './change-log.ts';
import type { Caller } from './caller.ts';
import type { Database } from './database.ts';
import type { StoredDocument } from './document.ts';
import { FirestoreError, invalidArgument } from './firestore-error.ts';
import { createLimitTarget } from './limit-target.ts';
import { decodeQuery } from './query-codec.ts';
import { createQueryTarget } from './query-target.ts';

/**
 * What one listener watches. A target knows what its client has been sent and answers the difference;
 * it knows nothing of frames and of other targets.
 */
export interface Target {
  /** The difference between what the client has of version `from` and now; null: it has nothing. */
  start(from: number | null, expectedCount: number | null): TargetStart;
  /** What a commit changes; throws PERMISSION_DENIED when the right to listen was lost. */
  onCommit(commit: Commit): readonly TargetDelta[];
  /** Throws PERMISSION_DENIED when the right to listen was lost. */
  checkRight(): void;
}

export interface TargetStart {
  /** The client must forget what it has before it takes the deltas. */
  readonly mustReset: boolean;
  readonly deltas: readonly TargetDelta[];
  /** The documents of the result, when the deltas may not name all that left it. */
  readonly existing?: Existing;
}

export interface Existing {
  readonly count: number;
  readonly names: () => readonly string[];
}

export type TargetDelta =
  | { readonly kind: 'present'; readonly document: StoredDocument }
  | { readonly kind: 'left'; readonly path: string };

export function createTarget(json: JsonObject, database: Database, caller: Caller): Target {
  const { documents, query: queryTarget } = json;
  if (isJsonObject(documents)) {
    const names: unknown = documents['documents'];
    if (!Array.isArray(names) || names.length !== 1) {
      throw invalidArgument('A documents target must have exactly one document.');
    }
    const path = database.names.toDocumentPath(names[0]);
    return createDocumentTarget(path, database, caller);
  }
  if (isJsonObject(queryTarget)) {
    const parent = database.names.toParentPath(queryTarget['parent']);
    const query = decodeQuery(queryTarget['structuredQuery'], parent);
    const create =
      query.limit === null && query.offset === 0 ? createQueryTarget : createLimitTarget;
    return create({ query, database, caller });
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
