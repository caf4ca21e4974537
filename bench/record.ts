/**
 * `Object.entries` and `Object.fromEntries` that keep the type of the keys, which the platform's types lose. They are
 * for records that have exactly these keys.
 */

export function entriesOf<Name extends string, Value>(
  record: Readonly<Record<Name, Value>>,
): [Name, Value][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  return Object.entries<Value>(record) as [Name, Value][];
}

/** @param entries one entry for each name. */
export function recordOf<Name extends string, Value>(
  entries: Iterable<readonly [Name, Value]>,
): Record<Name, Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as said above
  return Object.fromEntries(entries) as Record<Name, Value>;
}
