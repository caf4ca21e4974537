import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import type { AccessRequest, DocumentState } from '../../../src/firestore/access-policy.ts';
import { FirestoreError } from '../../../src/firestore/firestore-error.ts';
import { decodeQuery } from '../../../src/firestore/query/query-codec.ts';
import type { Query } from '../../../src/firestore/query/query.ts';
import { requestTime } from '../../../src/firestore/values/timestamp.ts';
import { decodeFields } from '../../../src/firestore/values/value-codec.ts';
import { createFirestoreRules } from '../../../src/policy/firestore-rules.ts';
import { compileRules } from '../../../src/rules/compile/compile-rules.ts';
import { RulesError } from '../../../src/rules/rules-error.ts';
import { databaseNames } from '../../support/test-database.ts';

/** The outcome of some rules: the verdicts of the ruleset, or the position where the source was refused. */
export type RulesOutcome =
  | { readonly verdicts: readonly boolean[] }
  | { readonly line: number; readonly column: number; readonly sentence: string };

const now = requestTime(1_767_323_045_678_000);

/** Compiles `source` and evaluates each of `requests` twice. @throws on a defect of the server. */
export function evaluateRules({ source, service, requests }: JsonObject): RulesOutcome {
  try {
    const ruleset = compileRules(String(source), {
      file: 'fuzz.rules',
      service: service === 'firebase.storage' ? service : 'cloud.firestore',
    });
    const authorize = createFirestoreRules(ruleset);
    const asked = Array.isArray(requests) ? requests.filter(isJsonObject) : [];
    const decide = () =>
      asked.map((each) => {
        const request = toRequest(each);
        return request !== undefined && authorize(request);
      });
    const [verdicts, again] = [decide(), decide()];
    if (String(verdicts) !== String(again)) throw new Error('The second verdict is another one.');
    return { verdicts };
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    return { line: error.line, column: error.column, sentence: error.sentence };
  }
}

const stateOf = (path: string, fields: unknown): DocumentState | null =>
  fields === undefined ? null : { path, fields: decodeFields(fields) };

/** Returns undefined for a query that is refused before its rules are asked, because it has too many disjunctions. */
function toQuery(json: unknown): Query | undefined {
  try {
    return decodeQuery(json, '', databaseNames);
  } catch (error) {
    if (error instanceof FirestoreError) return undefined;
    throw error;
  }
}

function toRequest({ operation, path, documents, uid, structuredQuery, after }: JsonObject) {
  const stored = isJsonObject(documents) ? documents : {};
  const at = String(path);
  const get = (wanted: string) => stateOf(wanted, stored[wanted]);
  const next = operation === 'delete' ? null : stateOf(at, after);
  const base = {
    auth: typeof uid === 'string' ? { uid, claims: {}, expiresAtMs: Infinity } : null,
    time: now,
    get,
    getAfter: (wanted: string) => (wanted === at ? next : get(wanted)),
  };
  if (operation === 'list') {
    const query = toQuery(structuredQuery);
    return query && ({ ...base, operation, query } satisfies AccessRequest);
  }
  return {
    ...base,
    operation:
      operation === 'create' || operation === 'update' || operation === 'delete'
        ? operation
        : ('get' as const),
    path: at,
    before: get(at),
    after: next,
    accessed: new Set<string>(),
  } satisfies AccessRequest;
}
