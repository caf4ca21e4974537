import { EvaluationError, UnknownError } from '../evaluation-error.ts';
import { expectKind, referenceToPath, typeName, type Kind, type RuleValue } from '../rule-value.ts';
import { LIST_METHODS, PARTIAL_LIST_METHODS, SET_METHODS } from './list-methods.ts';
import { MAP_DIFF_METHODS, MAP_METHODS, PARTIAL_MAP_METHODS } from './map-methods.ts';
import { toArguments, type MethodsOf } from './method.ts';
import { BYTES_METHODS, LATLNG_METHODS, PATH_METHODS } from './other-methods.ts';
import { STRING_METHODS } from './string-methods.ts';
import { DURATION_METHODS, TIMESTAMP_METHODS } from './time-methods.ts';

type Call = (self: RuleValue, args: readonly RuleValue[]) => RuleValue;

interface Bound {
  readonly arity: readonly [min: number, max: number];
  readonly call: Call;
}

/** A Map, so that a method called `constructor` is none. */
function tableOf<K extends Kind>(
  kind: K,
  methods: MethodsOf<K>,
): [Kind, ReadonlyMap<string, Bound>] {
  const entries = Object.entries(methods).map(([name, { arity, call }]): [string, Bound] => [
    name,
    {
      arity,
      call: (self, args) => call(expectKind(self, kind), toArguments(args)),
    },
  ]);
  return [kind, new Map(entries)];
}

const TABLES: ReadonlyMap<Kind, ReadonlyMap<string, Bound>> = new Map([
  tableOf('string', STRING_METHODS),
  tableOf('array', LIST_METHODS),
  tableOf('partial-list', PARTIAL_LIST_METHODS),
  tableOf('set', SET_METHODS),
  tableOf('map', MAP_METHODS),
  tableOf('partial-map', PARTIAL_MAP_METHODS),
  tableOf('map-diff', MAP_DIFF_METHODS),
  tableOf('timestamp', TIMESTAMP_METHODS),
  tableOf('duration', DURATION_METHODS),
  tableOf('bytes', BYTES_METHODS),
  tableOf('geo', LATLNG_METHODS),
  tableOf('path', PATH_METHODS),
]);

/** The numbers of arguments that a method of this name takes, whatever its type; empty: there is none. */
export function methodArities(name: string): readonly (readonly [number, number])[] {
  return [...TABLES.values()].flatMap((table) => {
    const method = table.get(name);
    return method === undefined ? [] : [method.arity];
  });
}

export function callMethod(self: RuleValue, name: string, args: readonly RuleValue[]): RuleValue {
  if (self.kind === 'reference') return callMethod(referenceToPath(self.name), name, args);
  const method = TABLES.get(self.kind)?.get(name);
  if (method === undefined) {
    if (isWholeMethod(self, name)) throw new UnknownError(`the whole ${typeName(self)}`);
    throw new EvaluationError(`A value of type ${typeName(self)} has no method "${name}".`);
  }
  const [min, max] = method.arity;
  if (args.length < min || args.length > max) {
    throw new EvaluationError(
      `"${name}" of a value of type ${typeName(self)} takes other arguments.`,
    );
  }
  return method.call(self, args);
}

/** A method that could answer if all of the value were known. */
const isWholeMethod = ({ kind }: RuleValue, name: string): boolean =>
  (kind === 'partial-map' && TABLES.get('map')?.has(name) === true) ||
  (kind === 'partial-list' && TABLES.get('array')?.has(name) === true);
