import {
  normalizeMangoQuery,
  prepareQuery,
  type MangoQuery,
  type PreparedQuery,
  type RxCollection,
} from 'rxdb/plugins/core';

/** A query of the rows of a collection that RxDB has not removed, for its storage. */
export function prepareLive<Row>(
  { storageInstance: { schema } }: RxCollection<Row>,
  query: MangoQuery<Row>,
): PreparedQuery<Row> {
  // Every index begins with RxDB's own flag: a query that does not name it uses none, and finds removed rows.
  const live = { ...query, selector: { ...query.selector, _deleted: { $eq: false } } };
  // The flag is in every row, which the type of a row does not say.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return prepareQuery<Row>(schema, normalizeMangoQuery<Row>(schema, live as MangoQuery<Row>));
}
