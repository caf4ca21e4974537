import * as fc from 'fast-check';
import {
  all,
  any,
  bool,
  dbl,
  deleteWrite,
  int,
  list,
  nul,
  orderBy,
  ref,
  setWrite,
  str,
  where,
} from './firestore-json.ts';

/** Few documents, fields and values, so that random queries and documents match often. */
const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }).map((n) => int(n)),
  fc.constantFrom(nul, dbl(1), dbl('NaN'), str('a'), str('b'), bool(true), list(int(1), str('a'))),
);
const fields = fc.record({ a: scalar, b: scalar }, { requiredKeys: [] });
const id = fc.constantFrom('c/1', 'c/2', 'c/3', 'p/x/c/1', 'p/x/c/4', 'p/y/c/5');
export const anyWrite = fc.oneof(
  fc.tuple(id, fields).map(([path, content]) => setWrite(path, content)),
  id.map((path) => deleteWrite(path)),
);
const operator = fc.constantFrom(
  'EQUAL',
  'NOT_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'ARRAY_CONTAINS',
);
const field = fc.constantFrom('a', 'b');
const filter = fc.tuple(field, operator, scalar).map(([f, op, v]) => where(f, op, v));
/** A conjunction can have one comparison with the elements of an array. */
const canBeAll = (filters: readonly ReturnType<typeof where>[]): boolean =>
  filters.filter(({ fieldFilter: { op } }) => op === 'ARRAY_CONTAINS').length < 2;
const anyCursor = fc.record({ values: fc.tuple(scalar), before: fc.boolean() });
export const anyQuery = fc
  .record(
    {
      from: fc.boolean().map((allDescendants) => [{ collectionId: 'c', allDescendants }]),
      where: fc
        .array(filter, { minLength: 1, maxLength: 3 })
        .chain((each) => fc.constantFrom(...(canBeAll(each) ? [all(...each)] : []), any(...each))),
      orderBy: fc
        .tuple(field, fc.constantFrom('ASCENDING', 'DESCENDING'))
        .map(([f, d]) => [orderBy(f, d)]),
      startAt: anyCursor,
      endAt: anyCursor,
      limit: fc.integer({ min: 1, max: 4 }),
      offset: fc.integer({ min: 0, max: 2 }),
    },
    { requiredKeys: ['from'] },
  )
  // Without an order a cursor may be one of the key, which is compared with keys only.
  .map(({ startAt, endAt, ...asked }) => {
    const place = asked.orderBy === undefined ? { values: [ref('c/2')] } : {};
    return {
      ...asked,
      ...(startAt && { startAt: { ...startAt, ...place } }),
      ...(endAt && { endAt: { ...endAt, ...place } }),
    };
  });
