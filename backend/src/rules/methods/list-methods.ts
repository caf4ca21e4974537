import { EvaluationError, UnknownError } from '../evaluation-error.ts';
import { bool, expectKind, int, list, text, typeName, type RuleValue } from '../rule-value.ts';
import { distinct, includes } from '../value-equality.ts';
import { none, one, type Arguments, type MethodsOf } from './method.ts';

/** The elements of a list or a set given as the argument. */
function elements(args: Arguments): readonly RuleValue[] {
  const value = args.at(0);
  if (value.kind === 'array' || value.kind === 'set') return value.values;
  if (value.kind === 'partial-list') throw new UnknownError('the whole list');
  throw new EvaluationError(`A list or a set is needed, not ${typeName(value)}.`);
}

type Values = { readonly values: readonly RuleValue[] };

const hasAll = ({ values }: Values, args: Arguments) =>
  bool(elements(args).every((each) => includes(values, each)));
const hasAny = ({ values }: Values, args: Arguments) =>
  bool(elements(args).some((each) => includes(values, each)));
const hasOnly = ({ values }: Values, args: Arguments) => {
  const allowed = elements(args);
  return bool(values.every((each) => includes(allowed, each)));
};
const size = ({ values }: Values) => int(values.length);
const set = (values: readonly RuleValue[]): RuleValue => ({ kind: 'set', values });

export const LIST_METHODS: MethodsOf<'array'> = {
  hasAll: { arity: one, call: hasAll },
  hasAny: { arity: one, call: hasAny },
  hasOnly: { arity: one, call: hasOnly },
  size: { arity: none, call: size },
  concat: {
    arity: one,
    call: ({ values }, args) => list([...values, ...expectKind(args.at(0), 'array').values]),
  },
  join: {
    arity: one,
    call: ({ values }, args) =>
      text(
        values
          .map((each) => expectKind(each, 'string').value)
          .join(expectKind(args.at(0), 'string').value),
      ),
  },
  removeAll: {
    arity: one,
    call({ values }, args) {
      const removed = expectKind(args.at(0), 'array').values;
      return list(values.filter((each) => !includes(removed, each)));
    },
  },
  toSet: { arity: none, call: ({ values }) => set(distinct(values)) },
};

export const SET_METHODS: MethodsOf<'set'> = {
  hasAll: { arity: one, call: hasAll },
  hasAny: { arity: one, call: hasAny },
  hasOnly: { arity: one, call: hasOnly },
  size: { arity: none, call: size },
  difference: {
    arity: one,
    call({ values }, args) {
      const other = expectKind(args.at(0), 'set').values;
      return set(values.filter((each) => !includes(other, each)));
    },
  },
  intersection: {
    arity: one,
    call({ values }, args) {
      const other = expectKind(args.at(0), 'set').values;
      return set(values.filter((each) => includes(other, each)));
    },
  },
  union: {
    arity: one,
    call: ({ values }, args) => set(distinct([...values, ...expectKind(args.at(0), 'set').values])),
  },
};

/** Of the list of an array-contains query only some elements are known. */
export const PARTIAL_LIST_METHODS: MethodsOf<'partial-list'> = {
  hasAny: {
    arity: one,
    call({ contains }, args) {
      if (elements(args).some((each) => includes(contains, each))) return bool(true);
      throw new UnknownError('in the list');
    },
  },
  hasAll: {
    arity: one,
    call({ contains }, args) {
      if (elements(args).every((each) => includes(contains, each))) return bool(true);
      throw new UnknownError('in the list');
    },
  },
};
