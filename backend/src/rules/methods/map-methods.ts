import { expectKind, int, list, text, type RuleFields, type RuleValue } from '../rule-value.ts';
import { areEqual } from '../value-equality.ts';
import { knownField } from '../members.ts';
import { none, one, two, type Arguments, type MethodsOf } from './method.ts';

/** A key, or a list of keys that leads into nested maps. */
function keysAt(args: Arguments): readonly string[] {
  const key = args.at(0);
  if (key.kind === 'string') return [key.value];
  return expectKind(key, 'array').values.map((each) => expectKind(each, 'string').value);
}

function getOr(start: RuleValue, args: Arguments): RuleValue {
  let value = start;
  for (const key of keysAt(args)) {
    if (value.kind === 'partial-map') value = knownField(value.known, key);
    else {
      const next = value.kind === 'map' ? value.fields.get(key) : undefined;
      if (next === undefined) return args.at(1);
      value = next;
    }
  }
  return value;
}

export const MAP_METHODS: MethodsOf<'map'> = {
  get: { arity: two, call: getOr },
  keys: { arity: none, call: ({ fields }) => list([...fields.keys()].map((each) => text(each))) },
  values: { arity: none, call: ({ fields }) => list([...fields.values()]) },
  size: { arity: none, call: ({ fields }) => int(fields.size) },
  diff: {
    arity: one,
    call: ({ fields }, args) => ({
      kind: 'map-diff',
      left: fields,
      right: expectKind(args.at(0), 'map').fields,
    }),
  },
};

export const PARTIAL_MAP_METHODS: MethodsOf<'partial-map'> = {
  get: { arity: two, call: getOr },
};

type Diff = { readonly left: RuleFields; readonly right: RuleFields };

const set = (names: readonly string[]): RuleValue => ({
  kind: 'set',
  values: names.map((each) => text(each)),
});

/** Of `left.diff(right)`: added is what only `left` has. */
const added = ({ left, right }: Diff) => [...left.keys()].filter((each) => !right.has(each));
const removed = ({ left, right }: Diff) => [...right.keys()].filter((each) => !left.has(each));
const common = ({ left, right }: Diff, isWanted: (isSame: boolean) => boolean) =>
  [...left].flatMap(([key, value]) => {
    const other = right.get(key);
    return other !== undefined && isWanted(areEqual(value, other)) ? [key] : [];
  });
const changed = (diff: Diff) => common(diff, (isSame) => !isSame);

export const MAP_DIFF_METHODS: MethodsOf<'map-diff'> = {
  addedKeys: { arity: none, call: (diff) => set(added(diff)) },
  removedKeys: { arity: none, call: (diff) => set(removed(diff)) },
  changedKeys: { arity: none, call: (diff) => set(changed(diff)) },
  unchangedKeys: { arity: none, call: (diff) => set(common(diff, (isSame) => isSame)) },
  affectedKeys: {
    arity: none,
    call: (diff) => set([...added(diff), ...removed(diff), ...changed(diff)]),
  },
};
