import { compileRules } from '../../src/rules/compile/compile-rules.ts';
import type { Service } from '../../src/rules/library/services.ts';
import {
  map,
  nullValue,
  path,
  text,
  type RuleFields,
  type RuleValue,
} from '../../src/rules/rule-value.ts';
import {
  accessBudget,
  documentName,
  toResource,
  type DocumentReader,
} from '../../src/rules/run.ts';
import type { Verdict } from '../../src/rules/ruleset.ts';

/** Ways to try the language without a database. */
export const firestoreRules = (body: string): string =>
  `rules_version = '2';\nservice cloud.firestore {\n${body}\n}\n`;

export const compile = (source: string, service: Service = 'cloud.firestore') =>
  compileRules(source, { file: 'test.rules', service });

export interface Asked {
  readonly path?: string;
  readonly data?: RuleFields | null;
  readonly auth?: RuleValue;
  readonly documents?: Readonly<Record<string, RuleFields>>;
  readonly after?: Readonly<Record<string, RuleFields>>;
}

/** 2026-01-02T03:04:05.678Z */
export const now = { kind: 'timestamp', seconds: 1_767_323_045, nanos: 678_000_000 } as const;

const reader = (before: Asked['documents'] = {}, after = before): DocumentReader => {
  const find = (world: Asked['documents'], at: string) => {
    const fields = new Map(Object.entries(world ?? {})).get(at);
    return fields === undefined ? null : { fields };
  };
  return { get: (at) => find(before, at), getAfter: (at) => find(after, at) };
};

/** Returns the verdict on a get, of `pets/rex` by default. */
export function authorizeGet(source: string, asked: Asked = {}): Verdict {
  const { path: at = 'pets/rex', data = new Map<string, RuleValue>(), auth = nullValue } = asked;
  const name = documentName(at);
  return compile(source).authorize({
    method: 'get',
    path: name.segments,
    request: map(
      new Map<string, RuleValue>([
        ['auth', auth],
        ['method', text('get')],
        ['path', name],
        ['time', now],
      ]),
    ),
    resource: data === null ? nullValue : toResource(name, data),
    documents: reader(asked.documents, asked.after),
    budgets: [accessBudget('request')],
  });
}

/** Evaluates an expression to true, false, or the message of its error. */
export function evaluate(expression: string, asked: Asked = {}, functions = ''): boolean | string {
  const verdict = authorizeGet(
    firestoreRules(
      `match /databases/{database}/documents/{collection}/{id} {\n${functions}\nallow get: if ${expression};\n}`,
    ),
    asked,
  );
  return verdict.failures[0]?.sentence ?? verdict.isAllowed;
}

export const signedIn = (uid: string, token: RuleFields = new Map()): RuleValue =>
  map(
    new Map<string, RuleValue>([
      ['uid', text(uid)],
      ['token', map(token)],
    ]),
  );

export const pathOf = (...segments: string[]): RuleValue => path(segments);
