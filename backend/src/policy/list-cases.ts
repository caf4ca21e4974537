import { isDocumentKey } from '../firestore/values/field-path.ts';
import { requiredFilters, type Query } from '../firestore/query/query.ts';
import type { Value } from '../firestore/values/value.ts';
import type { SubjectPath } from '../rules/match-path.ts';
import type { RuleValue } from '../rules/rule-value.ts';

/**
 * Returns the documents that a query can match, as far as their paths and fields are known without reading any of them.
 *
 * - A field is known if an equality that every document satisfies pins it. A number stays unknown, since 1 equals 1.0 but
 *   rules distinguish them. Whatever else the query says leaves its field unknown, which can only deny.
 * - The documents of a collection group can lie at any depth. There is a case for every depth up to the first that no
 *   pattern distinguishes from deeper ones.
 */
export function listCases(query: Query, longestPattern: number) {
  const data = { kind: 'partial-map', known: pinnedFields(query) } as const;
  const resource = { kind: 'partial-map', known: new Map([['data', data]]) } as const;
  return collectionPaths(query, longestPattern).map((collection) => ({
    path: [...collection, null],
    resource,
  }));
}

function pinnedFields({ filter }: Query): ReadonlyMap<string, RuleValue> {
  const fields = new Map<string, RuleValue>();
  for (const each of requiredFilters(filter)) {
    if (each.kind !== 'field' || each.operator !== 'EQUAL' || isDocumentKey(each.field)) continue;
    const [name, ...inner] = each.field.segments;
    if (name === undefined || inner.length > 0 || holdsNumbers(each.value)) continue;
    fields.set(name, each.value);
  }
  return fields;
}

function holdsNumbers(value: Value): boolean {
  if (value.kind === 'array') return value.values.some(holdsNumbers);
  if (value.kind === 'map') return [...value.fields.values()].some(holdsNumbers);
  return value.kind === 'integer' || value.kind === 'double';
}

function collectionPaths(
  { parent, collectionId, allDescendants }: Query,
  longestPattern: number,
): readonly SubjectPath[] {
  const root = ['databases', '(default)', 'documents', ...(parent === '' ? [] : parent.split('/'))];
  if (!allDescendants) return [[...root, collectionId]];
  const levels = Math.ceil(longestPattern / 2) + 1;
  return Array.from({ length: levels }, (_, level) => [
    ...root,
    ...Array.from({ length: level * 2 }, () => null),
    collectionId,
  ]);
}
