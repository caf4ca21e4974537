import { memberOrNone } from '../members.ts';
import {
  bool,
  expectKind,
  int,
  list,
  set,
  text,
  type Kind,
  type OfKind,
  type RuleValue,
} from '../rule-value.ts';
import { areEqual, memberOf } from '../value-equality.ts';
import { native, type Native, type Natives } from './native.ts';
import { compileRegularExpression } from './regular-expression.ts';

const texts = (values: Iterable<string>): readonly RuleValue[] =>
  [...values].map((each) => text(each));

/** Counts characters; a surrogate pair is one. */
const countCharacters = (value: string): number =>
  value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);

/** The methods of strings. Characters are code points; `matches` compares the whole string. */
const stringMethods: Natives = {
  trim: native(['string'], ({ value }) => text(value.trim())),
  size: native(['string'], ({ value }) => int(countCharacters(value))),
  matches: native(['string', 'string'], ({ value }, { value: pattern }) =>
    bool(compileRegularExpression(pattern).matches(value)),
  ),
  split: native(['string', 'string'], ({ value }, { value: pattern }) =>
    list(texts(compileRegularExpression(pattern).split(value, -1))),
  ),
};

const collectionMethods: Natives = {
  hasAll: native(['elements', 'elements'], (self, { values }) =>
    bool(values.every(memberOf(self.values))),
  ),
  hasAny: native(['elements', 'elements'], (self, { values }) =>
    bool(values.some(memberOf(self.values))),
  ),
  hasOnly: native(['elements', 'elements'], (self, { values }) =>
    bool(self.values.every(memberOf(values))),
  ),
  size: native(['elements'], ({ values }) => int(values.length)),
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

const mapMethods: Natives = {
  get: native(['map', 'any', 'any'], getOr),
  keys: native(['map'], ({ fields }) => list(texts(fields.keys()))),
  size: native(['map'], ({ fields }) => int(fields.size)),
  diff: native(['map', 'map'], (self, { fields }) => ({
    kind: 'map-diff',
    left: self.fields,
    right: fields,
  })),
};

const partialMapMethods: Natives = { get: native(['partial-map', 'any', 'any'], getOr) };

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
  addedKeys: native(['map-diff'], (diff) => set(texts(added(diff)))),
  changedKeys: native(['map-diff'], (diff) => set(texts(changed(diff)))),
  affectedKeys: native(['map-diff'], (diff) =>
    set(texts([...added(diff), ...removed(diff), ...changed(diff)])),
  ),
};

const daySeconds = 86_400;

/** The methods of timestamps, in UTC. */
const timestampMethods: Natives = {
  date: native(['timestamp'], ({ seconds }) => ({
    kind: 'timestamp',
    seconds: Math.floor(seconds / daySeconds) * daySeconds,
    nanos: 0,
  })),
  toMillis: native(['timestamp'], ({ seconds, nanos }) =>
    int(seconds * 1000 + Math.floor(nanos / 1_000_000)),
  ),
};

const methodsByKind: readonly (readonly [Kind, Natives])[] = [
  ['string', stringMethods],
  ['array', collectionMethods],
  ['set', collectionMethods],
  ['map', mapMethods],
  ['partial-map', partialMapMethods],
  ['map-diff', mapDiffMethods],
  ['timestamp', timestampMethods],
];

export type Method = ReadonlyMap<Kind, Native>;

/** The methods by name, then by kind of value. A method takes the same number of arguments for every kind. */
export const methods: ReadonlyMap<string, Method> = indexMethods();

function indexMethods(): ReadonlyMap<string, Method> {
  const byName = new Map<string, Map<Kind, Native>>();
  for (const [kind, natives] of methodsByKind) {
    for (const [name, each] of Object.entries(natives)) {
      const byKind = byName.get(name) ?? new Map<Kind, Native>();
      byName.set(name, byKind.set(kind, each));
    }
  }
  return byName;
}
