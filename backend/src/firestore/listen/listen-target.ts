import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Caller } from '../../caller.ts';
import { changesByScope } from '../documents/commit-scopes.ts';
import type { Database } from '../documents/database.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import type { Target } from './target.ts';
import { decodeQuery } from '../query/query-codec.ts';
import { createQueryTarget, type QueryTargetDeps } from './query-target.ts';

interface ListenTargetDeps extends Pick<QueryTargetDeps, 'database' | 'caller' | 'keep'> {
  readonly json: JsonObject;
}

export function createTarget({ json, database, caller, keep }: ListenTargetDeps): Target {
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
    const query = decodeQuery(queryTarget['structuredQuery'], parent, database.names);
    const key = JSON.stringify([caller, queryTarget]);
    return createQueryTarget({ query, key, database, caller, keep });
  }
  throw new FirestoreError('UNIMPLEMENTED', 'Only documents and query targets are served.');
}

function createDocumentTarget(path: string, database: Database, caller: Caller): Target {
  const current = () => database.get(caller, path);
  return {
    scope: path,
    // oxlint-disable-next-line require-yield -- one document takes one slice
    *start(_view, { from, expectedCount }, answer) {
      const document = current();
      const isSeen = from !== null && expectedCount !== 0;
      answer.begin(false);
      if (document === null) answer.left(path);
      else if (!isSeen || document.updateVersion > from) answer.present(document);
    },
    onCommits: (commits) =>
      commits.some((commit) => changesByScope(commit).has(path))
        ? new Map([[path, current()]])
        : new Map(),
  };
}
