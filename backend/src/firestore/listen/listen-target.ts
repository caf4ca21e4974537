import { isJsonObject, type JsonObject } from '../../json.ts';
import { inSlices } from '../../limits/slices.ts';
import type { Caller } from '../caller.ts';
import type { Database } from '../documents/database.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import type { Target, TargetDelta } from './target.ts';
import { createLimitTarget } from './limit-target.ts';
import { decodeQuery } from '../query/query-codec.ts';
import { createQueryTarget } from './query-target.ts';

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
    return create({ query, key: JSON.stringify([caller, queryTarget]), database, caller });
  }
  throw new FirestoreError('UNIMPLEMENTED', 'Only documents and query targets are served.');
}

function createDocumentTarget(path: string, database: Database, caller: Caller): Target {
  const current = (): TargetDelta => {
    const document = database.get(caller, path);
    return document === null ? { kind: 'left', path } : { kind: 'present', document };
  };
  return {
    isInScope: (each) => each === path,
    prepare: () => undefined,
    // oxlint-disable-next-line require-yield -- one document takes one slice
    *start(_view, from, expectedCount) {
      const delta = current();
      const isSeen =
        from !== null &&
        expectedCount !== 0 &&
        delta.kind === 'present' &&
        delta.document.updateVersion <= from;
      return {
        mustReset: false,
        present: (take) =>
          inSlices(delta.kind === 'present' && !isSeen ? [delta.document] : [], take),
        rest: () => ({ left: delta.kind === 'left' ? [delta] : [] }),
      };
    },
    onCommits: (commits) =>
      commits.some(({ changes }) => changes.some((each) => each.path === path)) ? [current()] : [],
    checkRight: () => void current(),
  };
}
