import assert from 'node:assert/strict';
import { isJsonObject, parseJson } from '../../../src/json.ts';
import { databaseNames } from '../../support/test-database.ts';
import type { Entrance, Lane, Step } from './lane.ts';
import { compareUpdates } from './listened-query.ts';
import { mutateJson } from '../input/mutations.ts';
import { naiveAggregate, naiveQuery } from '../input/naive-query.ts';
import { createQueryLane, describe, ok, postFirestore, type QueryLane } from './query-lane.ts';
import { anyPath, anyQueryOf } from '../input/random-documents.ts';

/** The statuses with which a well-formed query may be refused. */
const refused = new Set([400, 429, 503]);

/** Runs random queries over random documents, and compares every answer with a model without indexes. */
export const queryEntrance: Entrance = (lane) => {
  const { random } = lane;
  const query = createQueryLane(lane);
  const steps: readonly Step[] = [
    () => query.write(),
    () => compareQuery(query),
    () => compareQuery(query),
    () => compareQuery(query),
    () => compareAggregation(query),
    () => compareUpdates(query),
    () => askNonsense(query),
  ];
  return () => random.pick(steps)();
};

/** Returns the list that a method answers; undefined when it refuses. */
async function listAnswered(lane: Lane, method: string, asked: { parent: string; body: unknown }) {
  const { status, bytes } = await postFirestore(lane, method, asked);
  const json = parseJson(bytes.toString());
  assert.ok(status === ok || refused.has(status), `${status} ${bytes.toString()}`);
  assert.ok(json.ok && Array.isArray(json.value), 'a list is answered, also with an error');
  return status === ok ? json.value.filter(isJsonObject) : undefined;
}

async function compareQuery({ lane, collection, documents }: QueryLane): Promise<void> {
  const asked = anyQueryOf(lane.random, collection);
  const answer = await listAnswered(lane, 'runQuery', {
    parent: asked.parent,
    body: { structuredQuery: asked.structuredQuery },
  });
  if (answer === undefined) return;
  const found = answer.flatMap(({ document }) =>
    isJsonObject(document) ? [[String(document['name']), document['fields']]] : [],
  );
  const expected = naiveQuery(asked, documents).map((path) => [
    databaseNames.toName(path),
    documents.get(path),
  ]);
  assert.deepEqual(found, expected, describe(asked, documents));
}

async function compareAggregation({ lane, collection, documents }: QueryLane): Promise<void> {
  const asked = anyQueryOf(lane.random, collection);
  const field = lane.random.pick(['a', 'b', 'c.d']);
  const of = { field: { fieldPath: field } };
  const aggregations = [
    { alias: 'count', count: {} },
    { alias: 'sum', sum: of },
    { alias: 'avg', avg: of },
  ];
  const { parent, structuredQuery } = asked;
  const body = { structuredAggregationQuery: { structuredQuery, aggregations } };
  const answer = await listAnswered(lane, 'runAggregationQuery', { parent, body });
  if (answer === undefined) return;
  const result = answer[0]?.['result'];
  const fields = isJsonObject(result) ? result['aggregateFields'] : undefined;
  const { count, sum, avg } = naiveAggregate(naiveQuery(asked, documents), documents, field);
  const expected = { count: { integerValue: String(count) }, sum, avg };
  assert.deepEqual(fields, expected, `${field} of ${describe(asked, documents)}`);
}

/** Sends a query, an aggregation or a batch of reads with invalid parts; any refusal is accepted. */
async function askNonsense({ lane, collection }: QueryLane): Promise<void> {
  const { random } = lane;
  const { parent, structuredQuery } = anyQueryOf(random, collection);
  const aggregations = [
    { sum: { field: { fieldPath: 'a' } } },
    { count: { upTo: { value: '2' } } },
  ];
  const [method, body] = random.pick<readonly [string, unknown]>([
    ['runQuery', { structuredQuery }],
    ['runAggregationQuery', { structuredAggregationQuery: { structuredQuery, aggregations } }],
    ['batchGet', { documents: [databaseNames.toName(anyPath(random, collection))] }],
  ]);
  const { status } = await postFirestore(lane, method, { parent, body: mutateJson(random, body) });
  assert.ok(status < 500 || status === 503 || status === 501, `status ${status}`);
}
