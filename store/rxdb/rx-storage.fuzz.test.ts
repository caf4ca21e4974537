import 'fake-indexeddb/auto';
import {
  fillWithDefaultSettings,
  normalizeMangoQuery,
  prepareQuery,
  type BulkWriteRow,
  type MangoQuery,
  type RxDocumentData,
  type RxStorage,
  type RxStorageInstance,
} from 'rxdb/plugins/core';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { expect, it } from 'vitest';
import { createSeededRandom } from '../../tests/integration/replication/seeded-random.ts';
import { fuzzRuns } from '../../tests/support/fuzz-runs.ts';
import { createOwnStorage } from '../../tests/support/setups/own-storage.ts';

interface Row {
  readonly id: string;
  readonly group: string;
  readonly level: number;
  readonly isOn: boolean;
  readonly isGone: boolean;
  readonly note?: string;
}

const schema = fillWithDefaultSettings<Row>({
  title: 'fuzz',
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 8 },
    group: { type: 'string', maxLength: 4 },
    level: { type: 'integer', minimum: -5, maximum: 5, multipleOf: 1 },
    isOn: { type: 'boolean' },
    isGone: { type: 'boolean' },
    note: { type: 'string' },
  },
  required: ['id', 'group', 'level', 'isOn', 'isGone'],
  indexes: [['level', 'id'], ['group', 'isOn', 'level'], ['isGone', 'group'], 'group'],
});

type Instance = RxStorageInstance<Row, unknown, unknown>;

/** The number of random databases; `PAWPALS_FUZZ_RUNS` multiplies it. */
const rounds = 40 * fuzzRuns;

function createRandom(seed: number) {
  const random = createSeededRandom(seed);
  const upTo = (bound: number): number => random.below(bound);
  const oneOf = <Value>(values: readonly [Value, ...Value[]]): Value =>
    values[upTo(values.length)] ?? values[0];
  return { upTo, oneOf, maybe: () => random.chance(0.5) };
}

type Random = ReturnType<typeof createRandom>;

const groups = ['', 'a', 'ab', 'b', '\uFFFE'] as const;

function randomRow(random: Random): Row {
  const row = {
    id: `d${random.upTo(30)}`,
    group: random.oneOf(groups),
    level: random.upTo(11) - 5,
    isOn: random.maybe(),
    isGone: random.maybe(),
  };
  return random.maybe() ? row : { ...row, note: random.oneOf(['x', 'y']) };
}

function randomBounds(random: Random, value: () => unknown): object {
  const bounds: Record<string, unknown> = {};
  if (random.maybe()) bounds[random.oneOf(['$gt', '$gte'])] = value();
  if (random.maybe()) bounds[random.oneOf(['$lt', '$lte'])] = value();
  return Object.keys(bounds).length === 0 || random.upTo(3) === 0 ? { $eq: value() } : bounds;
}

type Sort = NonNullable<MangoQuery<Row>['sort']>;

const ascending = ['asc', 'asc', 'desc'] as const;

function randomQuery(random: Random): MangoQuery<Row> {
  const values = {
    id: () => `d${random.upTo(30)}`,
    group: () => random.oneOf(groups),
    level: () => random.upTo(11) - 5,
    isOn: () => random.maybe(),
    isGone: () => random.maybe(),
    note: () => random.oneOf(['x', 'y', null]),
  };
  const selector: Record<string, object> = {};
  for (const [name, value] of Object.entries(values)) {
    if (random.upTo(3) > 0) continue;
    const isBoolean = name.startsWith('is');
    selector[name] = isBoolean || name === 'note' ? { $eq: value() } : randomBounds(random, value);
  }
  if (random.upTo(8) === 0) selector['group'] = { $in: [random.oneOf(groups), 'a'] };
  if (random.upTo(8) === 0) selector['_deleted'] = { $eq: random.upTo(3) === 0 };
  const order = random.oneOf(ascending);
  const sorts: readonly [Sort, ...Sort[]] = [
    [{ id: order }],
    [{ level: order }, { id: order }],
    [{ group: order }, { isOn: order }, { level: order }, { id: order }],
    [{ isGone: order }, { group: order }],
  ];
  const page = random.maybe() ? { limit: random.upTo(6), skip: random.upTo(3) } : {};
  return {
    selector,
    ...(random.maybe() ? { sort: random.oneOf(sorts) } : {}),
    ...page,
  };
}

async function open(storage: RxStorage<unknown, object>, name: string): Promise<Instance> {
  return storage.createStorageInstance<Row>({
    databaseInstanceToken: name,
    databaseName: name,
    collectionName: 'rows',
    schema,
    options: {},
    multiInstance: false,
    devMode: false,
  });
}

let revision = 0;

function toWrite(row: Row, previous: RxDocumentData<Row> | undefined, isDeleted: boolean) {
  revision += 1;
  const own = { _deleted: isDeleted, _attachments: {}, _meta: { lwt: revision } };
  const document = { ...row, ...own, _rev: `${revision}-x` };
  const write: BulkWriteRow<Row> = previous === undefined ? { document } : { previous, document };
  return write;
}

async function writeSome(random: Random, instances: readonly Instance[]): Promise<void> {
  const byId = new Map(
    Array.from({ length: 1 + random.upTo(6) }, () => randomRow(random)).map((row) => [row.id, row]),
  );
  const stored = await instances[0]?.findDocumentsById([...byId.keys()], true);
  const previous = new Map(stored?.map((row) => [row.id, row]));
  const writes = [...byId.values()].map((row) => {
    // Some writes act as if the row had not been read.
    const known = random.upTo(8) === 0 ? undefined : previous.get(row.id);
    return toWrite(row, known, known !== undefined && random.upTo(4) === 0);
  });
  const answers = [];
  for (const instance of instances) {
    const { error } = await instance.bulkWrite(structuredClone(writes), 'fuzz');
    answers.push(error.map(({ status, documentId }) => `${status} ${documentId}`));
  }
  expect(answers[0]).toEqual(answers[1]);
}

async function ask(query: MangoQuery<Row>, instance: Instance) {
  const prepared = prepareQuery(schema, normalizeMangoQuery(schema, structuredClone(query)));
  const { documents } = await instance.query(prepared);
  const isCounted = query.limit === undefined && query.skip === undefined;
  const count = isCounted ? (await instance.count(prepared)).count : documents.length;
  return { documents: structuredClone(documents), count };
}

it('finds for random queries over random rows what storage-memory finds', async () => {
  for (let seed = 1; seed <= rounds; seed += 1) {
    const random = createRandom(seed);
    const name = `fuzz-${seed}`;
    const memory = await open(getRxStorageMemory(), name);
    const own = await open(createOwnStorage(), name);
    for (let step = 0; step < 12; step += 1) {
      await writeSome(random, [memory, own]);
      for (let asked = 0; asked < 8; asked += 1) {
        const query = randomQuery(random);
        const found = await ask(query, own);
        expect(found, `seed ${seed}: ${JSON.stringify(query)}`).toEqual(await ask(query, memory));
      }
    }
    await own.remove();
    await memory.close();
  }
});
