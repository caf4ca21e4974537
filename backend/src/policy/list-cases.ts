import type { FieldFilter, Filter, Query } from '../firestore/query/query.ts';
import type { Value } from '../firestore/values/value.ts';
import type { SubjectPath } from '../rules/match-path.ts';
import { path, text, type RuleFields, type RuleValue } from '../rules/rule-value.ts';

/** A document that a query can match, as far as its path and fields are known. */
export interface ListCase {
  readonly path: SubjectPath;
  readonly resource: RuleValue;
}

/**
 * Returns whether a condition holds for all documents that a query can match, without reading any of them: it is evaluated
 * for the cases that they fall into.
 *
 * - The filter is split into alternatives; `in`, `array-contains-any` and OR give one for each of their values.
 * - A field is known in an alternative if an equality pins it. A number gives two alternatives, since 1 equals 1.0 but
 *   rules distinguish them; a list or map that contains numbers stays unknown.
 * - A part that needs more alternatives than the limit, or contradicts itself, stays unknown, which can only deny.
 * - The documents of a collection group can lie at any depth. There is a case for every depth up to the first that no
 *   pattern distinguishes from deeper ones.
 * - Cases that differ only in fields that the condition does not read are evaluated once.
 */
export function everyCase(
  query: Query,
  longestPattern: number,
  isAllowed: (each: ListCase) => boolean,
): boolean {
  const cases = alternatives(query.filter);
  const open = cases.filter((pins) => keyPath(pins) === undefined);
  return (
    cases.every((pins) => {
      const key = keyPath(pins);
      return key === undefined || isAllowed(caseAt(key, pinnedFields(pins)));
    }) &&
    collectionPaths(query, longestPattern).every((collection) =>
      holdsFor(open, (fields) => isAllowed(caseAt([...collection, null], fields))),
    )
  );
}

/** Returns whether a condition holds for the fields of all alternatives. */
function holdsFor(cases: readonly Pins[], isAllowed: (fields: RuleFields) => boolean): boolean {
  let last: { readonly pins: Pins; readonly read: ReadonlySet<string> } | undefined;
  return cases.every((pins) => {
    if (last !== undefined && areSame(pins, last.pins, last.read)) return true;
    const fields = new WatchedFields(pinnedFields(pins));
    last = { pins, read: fields.read };
    return isAllowed(fields);
  });
}

/** Fields that remember which of them were read. */
class WatchedFields extends Map<string, RuleValue> {
  readonly read = new Set<string>();

  override get(name: string): RuleValue | undefined {
    this.read.add(name);
    return super.get(name);
  }

  override has(name: string): boolean {
    this.read.add(name);
    return super.has(name);
  }
}

/** Whether two alternatives pin the fields of these names alike. */
function areSame(one: Pins, other: Pins, names: ReadonlySet<string>): boolean {
  return [...names].every((name) => {
    const theirs = other.filter((each) => isOf(each, name));
    const mine = one.filter((each) => isOf(each, name));
    return mine.length === theirs.length && mine.every((each, at) => each === theirs[at]);
  });
}

interface Pin {
  readonly segments: readonly string[];
  readonly value: RuleValue;
}
type Pins = readonly Pin[];

const maxAlternatives = 200;
const unpinned: readonly Pins[] = [[]];

function alternatives(filter: Filter | null): readonly Pins[] {
  if (filter === null) return unpinned;
  if (filter.kind === 'unary') {
    if (filter.operator === 'IS_NULL') return [[pin(filter.field.segments, { kind: 'null' })]];
    if (filter.operator !== 'IS_NAN') return unpinned;
    return [[pin(filter.field.segments, { kind: 'double', value: NaN })]];
  }
  if (filter.kind === 'field') return fieldAlternatives(filter);
  const parts = filter.filters.map(alternatives);
  if (filter.operator === 'OR') {
    const all = parts.flat();
    return all.length > maxAlternatives ? unpinned : all;
  }
  return parts.reduce((left, right) => {
    if (left.length * right.length > maxAlternatives) return left;
    return left.flatMap((each) => right.map((other) => [...each, ...other]));
  }, unpinned);
}

const pin = (segments: readonly string[], value: RuleValue): Pin => ({ segments, value });

function fieldAlternatives({ field, operator, value }: FieldFilter): readonly Pins[] {
  const { segments } = field;
  switch (operator) {
    case 'EQUAL':
      return equalities(segments, value);
    case 'IN':
      return value.kind === 'array'
        ? value.values.flatMap((each) => equalities(segments, each))
        : unpinned;
    case 'ARRAY_CONTAINS':
      return containments(segments, [value]);
    case 'ARRAY_CONTAINS_ANY':
      return value.kind === 'array' ? containments(segments, value.values) : unpinned;
    default:
      return unpinned;
  }
}

const containments = (segments: readonly string[], values: readonly Value[]): readonly Pins[] =>
  values.map((each) => [pin(segments, { kind: 'partial-list', contains: [each] })]);

function equalities(segments: readonly string[], value: Value): readonly Pins[] {
  if (value.kind === 'integer' || value.kind === 'double') {
    const twin = numberTwin(value);
    return [[pin(segments, value)], ...(twin === undefined ? [] : [[pin(segments, twin)]])];
  }
  return holdsNumbers(value) ? unpinned : [[pin(segments, value)]];
}

/** Returns the equal number of the other kind, or undefined if there is none. */
function numberTwin(value: Extract<Value, { kind: 'integer' | 'double' }>): Value | undefined {
  if (value.kind === 'integer') return { kind: 'double', value: Number(value.value) };
  return Number.isInteger(value.value) && Math.abs(value.value) <= 2 ** 63
    ? { kind: 'integer', value: BigInt(value.value) }
    : undefined;
}

function holdsNumbers(value: Value): boolean {
  if (value.kind === 'array') return value.values.some(holdsNumbers);
  if (value.kind === 'map') return [...value.fields.values()].some(holdsNumbers);
  return value.kind === 'integer' || value.kind === 'double';
}

const isOf = ({ segments }: Pin, name: string): boolean => segments[0] === name;

/** Returns the path of the only document that an alternative can match, if it pins the key. */
function keyPath(pins: Pins): SubjectPath | undefined {
  const key = pins.find((each) => isOf(each, '__name__'))?.value;
  return key?.kind === 'reference' ? key.name.split('/').slice(2) : undefined;
}

function caseAt(segments: SubjectPath, data: RuleFields): ListCase {
  const known = new Map<string, RuleValue>([['data', { kind: 'partial-map', known: data }]]);
  const id = segments.at(-1);
  if (typeof id === 'string') known.set('id', text(id));
  const names = segments.filter((each) => each !== null);
  if (names.length === segments.length) known.set('__name__', path(names));
  return { path: segments, resource: { kind: 'partial-map', known } };
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

/** Merges pins to known fields, without the key; a field with more than one pin of its whole value stays unknown. */
function pinnedFields(pins: Pins): RuleFields {
  const byName = new Map<string, Pin[]>();
  for (const { segments, value } of pins) {
    const [name, ...rest] = segments;
    if (name === undefined || name === '__name__') continue;
    byName.set(name, [...(byName.get(name) ?? []), pin(rest, value)]);
  }
  const fields = new Map<string, RuleValue>();
  for (const [name, inner] of byName) {
    const whole = inner.filter(({ segments }) => segments.length === 0);
    const value = inner.length === 1 ? whole[0]?.value : undefined;
    if (value !== undefined) fields.set(name, value);
    else if (whole.length === 0) {
      fields.set(name, { kind: 'partial-map', known: pinnedFields(inner) });
    }
  }
  return fields;
}
