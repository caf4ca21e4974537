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
import type { Native } from '../run.ts';
import { compileRegularExpression } from './regular-expression.ts';

const texts = (values: Iterable<string>): readonly RuleValue[] =>
  [...values].map((each) => text(each));

/** Counts characters; a surrogate pair is one. */
const countCharacters = (value: string): number =>
  value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);

interface KindMethod extends Native {
  readonly kind: Kind;
  readonly name: string;
}

/**
 * Creates a method of a kind of values, with as many arguments as its function declares. It checks their types by itself; the
 * loader has checked their number.
 */
const method = <K extends Kind>(
  kind: K,
  name: string,
  call: (self: OfKind<K>, ...args: RuleValue[]) => RuleValue,
): KindMethod => ({
  kind,
  name,
  arity: call.length,
  call: ([self = nullValue, ...args]) => call(expectKind(self, kind), ...args),
});

const expressionOf = (pattern: RuleValue) =>
  compileRegularExpression(expectKind(pattern, 'string').value);

const elementsOf = (value: RuleValue): readonly RuleValue[] => {
  if (value.kind === 'array' || value.kind === 'set') return value.values;
  throw needed('list or set', value);
};

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

type Diff = OfKind<'map-diff'>;

/** In `left.diff(right)` the added keys are those that only `left` has. */
const added = ({ left, right }: Diff) => [...left.keys()].filter((each) => !right.has(each));
const removed = ({ left, right }: Diff) => [...right.keys()].filter((each) => !left.has(each));
const changed = ({ left, right }: Diff) =>
  [...left].flatMap(([key, value]) => {
    const other = right.get(key);
    return other === undefined || areEqual(value, other) ? [] : [key];
  });

const daySeconds = 86_400;

/** The characters of strings are code points; `matches` compares the whole string. Timestamps are in UTC. */
const kindMethods: readonly KindMethod[] = [
  method('string', 'trim', ({ value }) => text(value.trim())),
  method('string', 'size', ({ value }) => int(countCharacters(value))),
  method('string', 'matches', ({ value }, pattern: RuleValue) =>
    bool(expressionOf(pattern).matches(value)),
  ),
  method('string', 'split', ({ value }, pattern: RuleValue) =>
    list(texts(expressionOf(pattern).split(value, -1))),
  ),
  ...(['array', 'set'] as const).flatMap((kind) => [
    method(kind, 'hasAll', ({ values }, other: RuleValue) =>
      bool(elementsOf(other).every(memberOf(values))),
    ),
    method(kind, 'hasAny', ({ values }, other: RuleValue) =>
      bool(elementsOf(other).some(memberOf(values))),
    ),
    method(kind, 'hasOnly', ({ values }, other: RuleValue) =>
      bool(values.every(memberOf(elementsOf(other)))),
    ),
    method(kind, 'size', ({ values }) => int(values.length)),
  ]),
  method('array', 'join', ({ values }, separator: RuleValue) =>
    text(
      values
        .map((each) => expectKind(each, 'string').value)
        .join(expectKind(separator, 'string').value),
    ),
  ),
  method('map', 'get', getOr),
  method('map', 'keys', ({ fields }) => list(texts(fields.keys()))),
  method('map', 'values', ({ fields }) => list([...fields.values()])),
  method('map', 'size', ({ fields }) => int(fields.size)),
  method('map', 'diff', ({ fields }, other: RuleValue) => ({
    kind: 'map-diff',
    left: fields,
    right: expectKind(other, 'map').fields,
  })),
  method('partial-map', 'get', getOr),
  method('map-diff', 'addedKeys', (diff) => set(texts(added(diff)))),
  method('map-diff', 'changedKeys', (diff) => set(texts(changed(diff)))),
  method('map-diff', 'affectedKeys', (diff) =>
    set(texts([...added(diff), ...removed(diff), ...changed(diff)])),
  ),
  method('timestamp', 'date', ({ seconds }) => ({
    kind: 'timestamp',
    seconds: Math.floor(seconds / daySeconds) * daySeconds,
    nanos: 0,
  })),
  method('timestamp', 'toMillis', ({ seconds, nanos }) =>
    int(seconds * 1000 + Math.floor(nanos / 1_000_000)),
  ),
];

export type Method = ReadonlyMap<Kind, Native>;

/** Returns the methods of a name by kind of value. They take the same number of arguments. */
export const methodsOf = (name: string): Method =>
  new Map(kindMethods.filter((each) => each.name === name).map((each) => [each.kind, each]));
