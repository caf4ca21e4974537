import { expect, it, vi } from 'vitest';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { createRecordingSink } from '../../../tests/support/fakes/recording-sink.ts';
import { createSliceClock } from '../../../tests/support/fakes/slice-clock.ts';
import { int, orderBy, setWrite, str, where } from '../../../tests/support/firestore-json.ts';
import {
  alice,
  atOnce,
  commit,
  openListener,
  queryTarget,
  resumeAt,
} from '../../../tests/support/listen-kit.ts';
import { openTestDatabase } from '../../../tests/support/test-database.ts';
import type { Limits } from '../../limits/defaults.ts';
import { LimitError } from '../../limits/limit-error.ts';
import { createResources } from '../../limits/resources.ts';
import { createListenStream } from './listen-stream.ts';

async function setUp(limits: Partial<Limits> = {}, clock = createManualClock()) {
  let asked = 0;
  let elapsed = 0;
  const costMs = { ofVerdict: 0, ofMoment: 0 };
  const { database } = await openTestDatabase({
    clock,
    policy: () => {
      asked += 1;
      elapsed += costMs.ofVerdict;
      return true;
    },
  });
  const inTurns = createResources({
    clock: createManualClock(),
    limits,
    elapsedMs: () => (elapsed += costMs.ofMoment),
  });
  const resources = atOnce(inTurns);
  const open = (shared = resources) => {
    const sink = createRecordingSink();
    const deps = { ...alice(), database, sink, resources: shared };
    return { sink, stream: createListenStream(deps) };
  };
  const count = async (run: () => Promise<unknown>) => {
    asked = 0;
    await run();
    return asked;
  };
  return { database, open, count, costMs, resources, inTurns };
}

it('the policy is asked once for a query and a commit, whatever number of streams and targets has it', async () => {
  const { database, open, count } = await setUp();
  for (const { stream } of [open(), open(), open()]) {
    for (let id = 2; id < 12; id += 2) stream.onMessage(queryTarget(id));
    stream.onMessage(queryTarget(12, { orderBy: [orderBy('n')], limit: 3 }));
  }
  expect(await count(() => commit(database, setWrite('c/a', {})))).toBe(2);
  expect(await count(() => commit(database, setWrite('other/a', {})))).toBe(0);
});

it('a commit costs a target nothing that is about something else, and is measured once for all streams', async () => {
  const { database, open } = await setUp();
  const [paths, sizes] = [
    vi.spyOn(String.prototype, 'lastIndexOf'),
    vi.spyOn(Buffer, 'byteLength'),
  ];
  const add = (count: number) => {
    for (let at = 0; at < count; at++) {
      const { stream } = open();
      for (let id = 2; id < 40; id += 2) stream.onMessage(queryTarget(id));
    }
  };
  const cost = async (prefix: string) => {
    for (const spy of [paths, sizes]) spy.mockClear();
    const names = Array.from({ length: 100 }, (_, at) => `${prefix}${at}`);
    await commit(database, ...names.map((name) => setWrite(name, { s: str('text') })));
    return { paths: paths.mock.calls.length, sizes: sizes.mock.calls.length };
  };
  const { paths: ofNoTarget } = await cost('other/a/d/');
  add(1);
  const { sizes: ofOneStream } = await cost('c/early');
  add(9);
  expect((await cost('other/b/d/')).paths).toBe(ofNoTarget);
  expect((await cost('other/b/c/')).paths).toBe(ofNoTarget);
  expect((await cost('c/later')).sizes).toBeLessThan(1.2 * ofOneStream);
  for (const spy of [paths, sizes]) spy.mockRestore();
});

it('targets are counted over all streams of an owner, until they are removed or their stream ends', async () => {
  const { open, resources } = await setUp({
    targets: { owner: 3, stranger: 3, address: 9, all: 9 },
  });
  const [first, second] = [open(), open()];
  for (const id of [2, 4]) first.stream.onMessage(queryTarget(id));
  for (const id of [2, 4]) second.stream.onMessage(queryTarget(id));
  expect(second.sink.take()).toEqual(['ADD 2', 'CURRENT 2', 'SNAPSHOT', 'REMOVE 4 8']);
  first.stream.onMessage({ removeTarget: 2 });
  second.stream.onMessage(queryTarget(4));
  expect(second.sink.take()).toEqual(['ADD 4', 'CURRENT 4', 'SNAPSHOT']);
  for (const { stream } of [first, second]) stream.onClose();
  expect(resources.level('targets').total()).toBe(0);
});

it('owners who have taken all targets yield to one who has fewer: their stream ends', async () => {
  const { database, open, resources } = await setUp({
    targets: { owner: 4, stranger: 4, address: 9, all: 4 },
  });
  const { sink, stream } = open();
  for (const id of [2, 4, 6, 8]) stream.onMessage(queryTarget(id));
  const other = createRecordingSink();
  const listener = createListenStream({
    ...alice(),
    client: { uid: 'bob', address: '192.0.2.1' },
    database,
    sink: other,
    resources,
  });
  listener.onMessage(queryTarget(2));
  expect([sink.failure(), other.failure()]).toEqual(['RESOURCE_EXHAUSTED', undefined]);
  expect(other.take()).toEqual(['ADD 2', 'CURRENT 2', 'SNAPSHOT']);
  expect(resources.level('targets').total()).toBe(1);
});

it('what a listener holds while it resumes counts over all streams of its owner, until it has resumed', async () => {
  const { database, open, resources } = await setUp(
    {
      listenBytes: { owner: 30_000, stranger: 9, address: 90_000, all: 90_000 },
    },
    createSliceClock(6),
  );
  const from = resumeAt(database);
  const more = { text: str('x'.repeat(100_000)) };
  const write = (ids: readonly string[]) =>
    commit(database, ...ids.map((id) => setWrite(`c/${id}`, more)));
  const memory = resources.level('listenBytes');
  await write(['a', 'b', 'd']);
  const { sink, stream } = open();
  stream.onMessage(queryTarget(2, {}, from));
  await vi.waitFor(() => expect(sink.take().at(-1)).toBe('SNAPSHOT'));
  const resumed = memory.total();
  expect(resumed).toBeLessThan(10_000);

  await write(Array.from({ length: 20 }, (_, at) => `${at}`.padStart(1000, '0')));
  const another = open();
  another.stream.onMessage(queryTarget(2, {}, from));
  await vi.waitFor(() => expect(another.sink.failure()).toBe('RESOURCE_EXHAUSTED'));
  expect([sink.failure(), memory.total()]).toEqual([undefined, resumed]);
});

it('resumes with the difference however large the documents are', async () => {
  const { database, open } = await setUp();
  await commit(database, setWrite('c/first', {}));
  const from = { ...resumeAt(database), expectedCount: 1 };
  const text = str('x'.repeat(1_000_000));
  const ids = Array.from({ length: 34 }, (_, at) => `c/${at}`);
  for (const id of ids) await commit(database, setWrite(id, { text }));
  const { sink, stream } = open();
  stream.onMessage(queryTarget(2, {}, from));
  const heard: unknown[] = [];
  await vi.waitFor(() => {
    heard.push(...sink.take());
    expect(heard.at(-1)).toBe('SNAPSHOT');
  });
  expect(heard).toEqual([
    'ADD 2',
    ...ids.map((id) => `change ${id} in 2 out `),
    'CURRENT 2',
    'SNAPSHOT',
  ]);
});

it('the memory for the queries of an owner is limited, and freed as they are removed', async () => {
  const values = Array.from({ length: 1000 }, () => ({ mapValue: {} }));
  const large = { where: where('a', 'EQUAL', { arrayValue: { values } }) };
  const { open, resources } = await setUp({
    listenBytes: { owner: 350_000, stranger: 9, address: 9_000_000, all: 9_000_000 },
  });
  const { sink, stream } = open();
  for (const id of [2, 4, 6]) stream.onMessage(queryTarget(id, large));
  const ready = (id: number) => [`ADD ${id}`, `CURRENT ${id}`, 'SNAPSHOT'];
  expect(sink.take()).toEqual([...ready(2), ...ready(4), 'REMOVE 6 8']);
  stream.onMessage({ removeTarget: 2 });
  stream.onMessage(queryTarget(6, large));
  expect(sink.take()).toEqual(['REMOVE 2', ...ready(6)]);
  stream.onClose();
  expect([resources.level('listenBytes').total(), resources.level('targets').total()]).toEqual([
    0, 0,
  ]);
});

it('the paths in the windows of an owner count, as long as they are there', async () => {
  const { database, open, resources } = await setUp({
    listenBytes: { owner: 50_000, stranger: 9, address: 90_000, all: 90_000 },
  });
  const ids = Array.from({ length: 100 }, (_, at) => `c/${at}`);
  await commit(database, ...ids.map((id) => setWrite(id, { n: int(1) })));
  const listen = (limit: number) => {
    const { sink, stream } = open();
    stream.onMessage(queryTarget(2, { limit }));
    return { sink, total: resources.level('listenBytes').total() };
  };
  const { total: ofOne, sink } = listen(1);
  const { total: ofTwo } = listen(99);
  expect(ofTwo - ofOne).toBeGreaterThan(99 * 150);
  await commit(database, setWrite('c/0', { n: int(2) }));
  expect(sink.take().at(-1)).toBe('SNAPSHOT');
  expect(resources.level('listenBytes').total()).toBe(ofTwo);
  listen(99);
  expect(() => listen(99)).toThrow(LimitError);
});

it('a query that is kept has a limited size', async () => {
  const { sink, stream } = await openListener();
  stream.onMessage(queryTarget(2, {}, { padding: 'x'.repeat(70_000) }));
  expect(sink.take()).toEqual(['REMOVE 2 3']);
});

it('a stream whose targets take more than their share of a commit ends, and no other does', async () => {
  const { database, open, costMs, resources } = await setUp({ workPerCommitMs: 5 });
  const { sink, stream } = open();
  const target = (id: number) => queryTarget(id, { orderBy: [orderBy(`f${id}`)] });
  for (let id = 2; id < 40; id += 2) stream.onMessage(target(id));
  const other = createRecordingSink();
  const bob = { caller: { uid: 'bob', claims: {}, expiresAtMs: Infinity } };
  const client = { uid: 'bob', address: '192.0.2.1' };
  const listener = createListenStream({
    ...alice(),
    ...bob,
    client,
    database,
    sink: other,
    resources,
  });
  listener.onMessage(target(2));
  other.take();
  costMs.ofVerdict = 1;
  await commit(database, setWrite('c/a', { f2: { nullValue: null } }));
  expect([sink.failure(), other.failure()]).toEqual(['RESOURCE_EXHAUSTED', undefined]);
  expect(other.take()).toEqual(['change c/a in 2 out ', 'SNAPSHOT']);
  expect(resources.level('targets').total()).toBe(1);
});

it('of hundreds of targets in one request each is judged in a turn, until their owner is over the rate', async () => {
  const { open, count, costMs, inTurns } = await setUp({ work: { burst: 20, everyMs: 4 } });
  const { sink, stream } = open(inTurns);
  costMs.ofVerdict = 5;
  let askedAtOnce = 0;
  const asked = await count(async () => {
    askedAtOnce = await count(async () => {
      for (let id = 2; id <= 400; id += 2) {
        stream.onMessage(queryTarget(id, { orderBy: [orderBy(`f${id}`)] }));
      }
    });
    await expect.poll(() => sink.failure()).toBe('RESOURCE_EXHAUSTED');
  });
  expect([askedAtOnce, asked]).toEqual([1, 4]);
});

it('the streams of one owner have one share of a commit', async () => {
  const { database, open, costMs } = await setUp({ workPerCommitMs: 5 });
  const streams = [open(), open(), open()];
  for (const [at, { stream }] of streams.entries()) {
    stream.onMessage(queryTarget(2, { orderBy: [orderBy(`f${at}`)] }));
  }
  costMs.ofVerdict = 4;
  await commit(database, setWrite('c/a', {}));
  expect(streams.map(({ sink }) => sink.failure())).toEqual([
    undefined,
    undefined,
    'RESOURCE_EXHAUSTED',
  ]);
});

it.each([{}, { limit: 5 }])(
  'a target that compares many documents and takes more than the share of its owner ends: %j',
  async (more) => {
    const { database, open, costMs } = await setUp({ workPerCommitMs: 5 }, createSliceClock(18));
    const { sink, stream } = open();
    stream.onMessage(queryTarget(2, { where: where('n', 'GREATER_THAN', int(0)), ...more }));
    costMs.ofMoment = 1;
    const ids = Array.from({ length: 200 }, (_, at) => `c/${at}`);
    await commit(database, ...ids.map((path) => setWrite(path, {})));
    expect(sink.failure()).toBe('RESOURCE_EXHAUSTED');
  },
);

it('a large window that takes more than the share of its owner ends while it is read', async () => {
  const { database, open, costMs, count } = await setUp(
    { workPerCommitMs: 5 },
    createSliceClock(192),
  );
  const ids = Array.from({ length: 2000 }, (_, at) => `c/${at}`);
  await commit(database, ...ids.map((path) => setWrite(path, {})));
  const { sink, stream } = open();
  stream.onMessage(queryTarget(2, { orderBy: [orderBy('__name__')], limit: 1800 }));
  await vi.waitFor(() => expect(sink.take().at(-1)).toBe('SNAPSHOT'));
  costMs.ofMoment = 1;
  expect(await count(() => commit(database, setWrite('c/0', { n: int(1) })))).toBe(1);
  expect([sink.failure(), sink.take()]).toEqual(['RESOURCE_EXHAUSTED', []]);
});
