import {
  normalizeMangoQuery,
  prepareQuery,
  type MangoQuery,
  type PreparedQuery,
  type RxCollection,
} from 'rxdb/plugins/core';

/** Prepares a query of the rows that RxDB has not deleted, for its storage. */
export function prepareLive<Row>(
  { storageInstance: { schema } }: RxCollection<Row>,
  query: MangoQuery<Row>,
): PreparedQuery<Row> {
  // Every index begins with RxDB's own flag: a query that does not name it uses no index, and finds deleted rows.
  const live = { ...query, selector: { ...query.selector, _deleted: { $eq: false } } };
  // Every row has the flag, but its type does not.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return prepareQuery<Row>(schema, normalizeMangoQuery<Row>(schema, live as MangoQuery<Row>));
}
