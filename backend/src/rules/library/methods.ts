import { memberOrNone } from '../members.ts';
import {
  bool,
  expectKind,
  int,
  list,
  needed,
  nullValue,
  set,
  text,
  type Kind,
  type OfKind,
  type RuleValue,
} from '../rule-value.ts';
import { areEqual, memberOf } from '../value-equality.ts';
import type { Native, Natives } from './native.ts';
import { compileRegularExpression } from './regular-expression.ts';

const texts = (values: Iterable<string>): readonly RuleValue[] =>
  [...values].map((each) => text(each));

/** Counts characters; a surrogate pair is one. */
const countCharacters = (value: string): number =>
  value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);

/**
 * Creates a method of a kind of values. It checks the types of its arguments by itself; the loader has checked their number.
 */
const method = <K extends Kind>(
  kind: K,
  parameters: number,
  call: (self: OfKind<K>, ...args: RuleValue[]) => RuleValue,
): Native => ({
  arity: parameters + 1,
  call: ([self = nullValue, ...args]) => call(expectKind(self, kind), ...args),
});

/** The methods of strings. Characters are code points; `matches` compares the whole string. */
const stringMethods: Natives = {
  trim: method('string', 0, ({ value }) => text(value.trim())),
  size: method('string', 0, ({ value }) => int(countCharacters(value))),
  matches: method('string', 1, ({ value }, pattern: RuleValue) =>
    bool(expressionOf(pattern).matches(value)),
  ),
  split: method('string', 1, ({ value }, pattern: RuleValue) =>
    list(texts(expressionOf(pattern).split(value, -1))),
  ),
};

const expressionOf = (pattern: RuleValue) =>
  compileRegularExpression(expectKind(pattern, 'string').value);

const elementsOf = (value: RuleValue): readonly RuleValue[] => {
  if (value.kind === 'array' || value.kind === 'set') return value.values;
  throw needed('list or set', value);
};

const collectionMethods = (kind: 'array' | 'set'): Natives => ({
  hasAll: method(kind, 1, ({ values }, other: RuleValue) =>
    bool(elementsOf(other).every(memberOf(values))),
  ),
  hasAny: method(kind, 1, ({ values }, other: RuleValue) =>
    bool(elementsOf(other).some(memberOf(values))),
  ),
  hasOnly: method(kind, 1, ({ values }, other: RuleValue) =>
    bool(values.every(memberOf(elementsOf(other)))),
  ),
  size: method(kind, 0, ({ values }) => int(values.length)),
});

/** Gets a value by key, or by a list of keys through nested maps. */
function getOr(start: RuleValue, key: RuleValue, otherwise: RuleValue): RuleValue {
  const keys = key.kind === 'string' ? [key] : expectKind(key, 'array').values;
  let value = start;
  for (const each of keys) {
    const name = expectKind(each, 'string').value;
    const isMap = value.kind === 'map' || value.kind === 'partial-map';
    const next = isMap ? memberOrNone(value, name) : undefined;
    if (next === undefined) return otherwise;
    value = next;
  }
  return value;
}

const mapMethods: Natives = {
  get: method('map', 2, getOr),
  keys: method('map', 0, ({ fields }) => list(texts(fields.keys()))),
  size: method('map', 0, ({ fields }) => int(fields.size)),
  diff: method('map', 1, ({ fields }, other: RuleValue) => ({
    kind: 'map-diff',
    left: fields,
    right: expectKind(other, 'map').fields,
  })),
};

type Diff = OfKind<'map-diff'>;

/** In `left.diff(right)` the added keys are those that only `left` has. */
const added = ({ left, right }: Diff) => [...left.keys()].filter((each) => !right.has(each));
const removed = ({ left, right }: Diff) => [...right.keys()].filter((each) => !left.has(each));
const changed = ({ left, right }: Diff) =>
  [...left].flatMap(([key, value]) => {
    const other = right.get(key);
    return other === undefined || areEqual(value, other) ? [] : [key];
  });

const mapDiffMethods: Natives = {
  addedKeys: method('map-diff', 0, (diff) => set(texts(added(diff)))),
  changedKeys: method('map-diff', 0, (diff) => set(texts(changed(diff)))),
  affectedKeys: method('map-diff', 0, (diff) =>
    set(texts([...added(diff), ...removed(diff), ...changed(diff)])),
  ),
};

const daySeconds = 86_400;

/** The methods of timestamps, in UTC. */
const timestampMethods: Natives = {
  date: method('timestamp', 0, ({ seconds }) => ({
    kind: 'timestamp',
    seconds: Math.floor(seconds / daySeconds) * daySeconds,
    nanos: 0,
  })),
  toMillis: method('timestamp', 0, ({ seconds, nanos }) =>
    int(seconds * 1000 + Math.floor(nanos / 1_000_000)),
  ),
};

const methodsByKind: readonly (readonly [Kind, Natives])[] = [
  ['string', stringMethods],
  ['array', collectionMethods('array')],
  ['set', collectionMethods('set')],
  ['map', mapMethods],
  ['partial-map', { get: method('partial-map', 2, getOr) }],
  ['map-diff', mapDiffMethods],
  ['timestamp', timestampMethods],
];

export type Method = ReadonlyMap<Kind, Native>;

/** Returns the methods of a name by kind of value. They take the same number of arguments. */
export const methodsOf = (name: string): Method =>
  new Map(
    methodsByKind.flatMap(([kind, natives]) =>
      Object.entries(natives).flatMap((each) => (each[0] === name ? [[kind, each[1]]] : [])),
    ),
  );
