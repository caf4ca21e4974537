/**
 * `Object.entries` and `Object.fromEntries` that keep the type of the keys, which the platform's types lose. For records of
 * these keys and no others.
 */

export function entriesOf<Name extends string, Value>(
  record: Readonly<Record<Name, Value>>,
): [Name, Value][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  return Object.entries<Value>(record) as [Name, Value][];
}

/** @param entries one for each name. */
export function recordOf<Name extends string, Value>(
  entries: Iterable<readonly [Name, Value]>,
): Record<Name, Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  return Object.fromEntries(entries) as Record<Name, Value>;
}
