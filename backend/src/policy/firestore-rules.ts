import type { AccessPolicy, DocumentRequest, ListRequest } from '../firestore/access-policy.ts';
import { accessBudget, documentName, toResource } from '../rules/run.ts';
import { map, nullValue, text, type RuleValue } from '../rules/rule-value.ts';
import type { Ruleset } from '../rules/ruleset.ts';
import { listCases } from './list-cases.ts';
import { fromPlain } from '../firestore/values/plain-data.ts';
import { authValue } from './auth-value.ts';

/**
 * Creates a policy that evaluates the rules.
 *
 * - A missing document is `resource == null`; after a delete, `request.resource == null`.
 * - A list is allowed if it is allowed for every case that its query leaves open.
 */
export function createFirestoreRules(ruleset: Ruleset): AccessPolicy {
  return (request) =>
    request.operation === 'list'
      ? mayList(ruleset, request)
      : ruleset.authorize(toRulesRequest(request)).isAllowed;
}

function toRulesRequest(asked: DocumentRequest) {
  const { operation: method, before, after } = asked;
  const name = documentName(asked.path);
  const resourceOf = (state: DocumentRequest['before']) =>
    state === null ? nullValue : toResource(name, state.fields);
  const request = new Map<string, RuleValue>([
    ['auth', authValue(asked.auth)],
    ['method', text(method)],
    ['path', name],
    ['time', asked.time],
  ]);
  if (method !== 'get') request.set('resource', resourceOf(after));
  return {
    method,
    path: name.segments,
    request: map(request),
    resource: resourceOf(before),
    documents: asked,
    budgets: [accessBudget('request'), accessBudget('batch', asked.accessed)],
  };
}

function mayList(ruleset: Ruleset, asked: ListRequest): boolean {
  const request: RuleValue = {
    kind: 'partial-map',
    known: new Map([
      ['auth', authValue(asked.auth)],
      ['method', text('list')],
      ['time', asked.time],
      ['query', queryValue(asked.query)],
    ]),
  };
  const common = { method: 'list', request, documents: asked } as const;
  const budgets = [accessBudget('request')];
  return listCases(asked.query, ruleset.longestPattern).every(
    (each) => ruleset.authorize({ ...common, ...each, budgets }).isAllowed,
  );
}

/** Returns `request.query`; a missing limit is null, so comparing it denies. */
const queryValue = ({ limit, offset, orderBy }: ListRequest['query']): RuleValue =>
  fromPlain({
    limit,
    offset,
    orderBy: orderBy.map((each) => `${each.field.text} ${each.isDescending ? 'DESC' : 'ASC'}`),
  });
