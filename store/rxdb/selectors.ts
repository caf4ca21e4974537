/**
 * This module replaces Mingo in the bundles (`scripts/bundle/bundle-aliases.ts`). RxDB matches rows with selectors and
 * orders values by it. Mingo has all of MongoDB's operators and weighs 8 kB compressed, for which the first view waits;
 * PawPals uses six of them, on values that are no objects. Unit tests run with Mingo, and one compares the two.
 */

/** The types in Mingo's order. */
const types = ['undefined', 'null', 'number', 'string', 'boolean'];

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/**
 * Compares values, first by type.
 * @returns a negative number, zero or a positive number.
 */
export function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  const byType = types.indexOf(typeOf(one)) - types.indexOf(typeOf(other));
  if (byType !== 0) return byType;
  // Both have the same type, and JavaScript orders numbers and booleans as it orders strings.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (one as string) < (other as string) ? -1 : 1;
}

type Operator = (value: unknown, operand: unknown) => boolean;

/** Returns an operator on the order of two values, which values of different types do not have. */
const ordered =
  (isWanted: (order: number) => boolean): Operator =>
  (value, bound) =>
    typeOf(value) === typeOf(bound) && isWanted(compare(value, bound));

/** A missing value equals null. */
function isEqual(value: unknown, wanted: unknown): boolean {
  return (value ?? null) === (wanted ?? null);
}

const operators: Readonly<Record<string, Operator>> = {
  $eq: isEqual,
  $in: (value, list) => Array.isArray(list) && list.some((wanted) => isEqual(value, wanted)),
  $gt: ordered((order) => order > 0),
  $gte: ordered((order) => order >= 0),
  $lt: ordered((order) => order < 0),
  $lte: ordered((order) => order <= 0),
};

function operatorOf(name: string): Operator {
  const operator = operators[name];
  if (operator === undefined) throw new Error(`There is no operator ${name}`);
  return operator;
}

/** Returns the value at a path such as `_meta.lwt`. */
export function valueAt(row: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => Object(value)[name], row);
}

/**
 * Returns a test of rows for a selector as RxDB normalizes it, under the name of RxDB's own function.
 * @param selector operators by path, as `{ id: { $gt: 'a' } }`.
 * @throws for an operator that PawPals does not use.
 */
export function getMingoQuery(selector: Readonly<Record<string, object>>) {
  const conditions = Object.entries(selector).flatMap(([path, wanted]) =>
    Object.entries(wanted).map(([name, operand]) => {
      const operator = operatorOf(name);
      return (row: object): boolean => operator(valueAt(row, path), operand);
    }),
  );
  return { test: (row: object): boolean => conditions.every((isMet) => isMet(row)) };
}
