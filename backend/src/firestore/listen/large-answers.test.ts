import { describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { createSliceClock } from '../../../tests/support/fakes/slice-clock.ts';
import {
  createRecordingSink,
  type RecordingSink,
} from '../../../tests/support/fakes/recording-sink.ts';
import {
  deleteWrite,
  int,
  orderBy,
  query,
  setWrite,
  str,
  where,
} from '../../../tests/support/firestore-json.ts';
import {
  alice,
  commit,
  documentTarget,
  queryTarget,
  resumeAt,
} from '../../../tests/support/listen-kit.ts';
import { aliceCaller, openTestDatabase } from '../../../tests/support/test-database.ts';
import type { AccessPolicy } from '../access-policy.ts';
import type { Database } from '../documents/database.ts';
import { inSlices } from '../../limits/slices.ts';
import { createListenStream } from './listen-stream.ts';
import { createQueryTarget } from './query-target.ts';
import type { Query } from '../query/query.ts';

const count = 500;
/** The documents of a slice. */
const sliceDocuments = 192;

async function setUp(policy: AccessPolicy = () => true, indexed: readonly Query[] = []) {
  const { database, clock } = await openTestDatabase({
    policy,
    indexed,
    clock: createSliceClock(sliceDocuments),
  });
  const ids = Array.from({ length: count }, (_, at) => String(at).padStart(3, '0'));
  await commit(database, ...ids.map((id) => setWrite(`c/${id}`, { n: int(1) })));
  const sink = createRecordingSink();
  const stream = createListenStream({ database, sink, ...alice(clock) });
  return { database, clock, sink, stream, ids };
}

/** Waits for the message `last` and resolves to all messages up to it. */
async function sentUntil(sink: RecordingSink, last: string): Promise<unknown[]> {
  const sent: unknown[] = [];
  await eventually(() => {
    sent.push(...sink.take());
    expect(sent.at(-1)).toBe(last);
  });
  return sent;
}

const allOf = (ids: readonly string[], target: number) => [
  `ADD ${target}`,
  ...ids.map((id) => `change c/${id} in ${target} out `),
  `CURRENT ${target}`,
  'SNAPSHOT',
];

describe('a first answer of 500 documents', () => {
  it('is sent in slices', async () => {
    const { sink, stream, ids } = await setUp();
    stream.onMessage(queryTarget(2));
    const first = sink.take();
    expect(first).toHaveLength(1 + sliceDocuments);
    const rest = await sentUntil(sink, 'SNAPSHOT');
    expect([...first, ...rest]).toEqual(allOf(ids, 2));
  });

  it('is whole, and one snapshot, before the stream tells of commits that came meanwhile', async () => {
    const { database, sink, stream, ids } = await setUp();
    stream.onMessage(documentTarget(2, 'c/000'));
    sink.take();
    stream.onMessage(queryTarget(4));
    await commit(database, setWrite('c/000', { n: int(2) }), deleteWrite('c/499'));
    await commit(database, setWrite('c/new', {}), setWrite('c/000', { n: int(3) }));
    const sent = await sentUntil(sink, 'SNAPSHOT');
    const whole = allOf(ids, 4);
    expect(sent.slice(0, whole.length)).toEqual(whole);
    await eventually(() => {
      sent.push(...sink.take());
      expect(sent.slice(whole.length)).toEqual([
        'change c/000 in 2,4 out ',
        'delete c/499 out 4',
        'change c/new in 4 out ',
        'SNAPSHOT',
      ]);
    });
  });

  it('of a window is whole before the stream tells of commits that came meanwhile', async () => {
    const { database, sink, stream, ids } = await setUp();
    stream.onMessage(queryTarget(2, { orderBy: [orderBy('__name__')], limit: 400 }));
    await commit(database, deleteWrite('c/000'));
    const whole = allOf(ids.slice(0, 400), 2);
    const sent: unknown[] = [];
    await eventually(() => {
      sent.push(...sink.take());
      expect(sent).toEqual([...whole, 'change c/400 in 2 out ', 'delete c/000 out 2', 'SNAPSHOT']);
    });
  });

  it('ends early when its target is removed, and the next message is answered', async () => {
    const { sink, stream } = await setUp();
    stream.onMessage(queryTarget(2));
    stream.onMessage({ removeTarget: 2 });
    stream.onMessage(documentTarget(4, 'c/none'));
    const sent = await sentUntil(sink, 'SNAPSHOT');
    expect(sent.length).toBeLessThan(450);
    expect(sent.slice(-5)).toEqual([
      'REMOVE 2',
      'ADD 4',
      'delete c/none out 4',
      'CURRENT 4',
      'SNAPSHOT',
    ]);
  });

  it('ends with the stream', async () => {
    const { sink, stream } = await setUp();
    stream.onMessage(queryTarget(2));
    stream.onClose();
    expect(sink.take()).toHaveLength(1 + sliceDocuments);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(sink.take()).toEqual([]);
  });

  it('is followed by PERMISSION_DENIED when the right was lost meanwhile', async () => {
    let isAllowed = true;
    const { database, sink, stream } = await setUp(() => isAllowed);
    stream.onMessage(queryTarget(2));
    isAllowed = false;
    await commit(database, setWrite('c/late', {}));
    const sent = await sentUntil(sink, 'REMOVE 2 7');
    expect(sent.slice(-3)).toEqual(['CURRENT 2', 'SNAPSHOT', 'REMOVE 2 7']);
  });

  it('ends the stream when too much is committed meanwhile to be kept', async () => {
    const { database } = await setUp();
    const sink = { ...createRecordingSink(), drained: () => new Promise<boolean>(() => undefined) };
    createListenStream({ database, sink, ...alice() }).onMessage(queryTarget(2));
    const text = str('x'.repeat(900_000));
    for (let at = 0; at < 20; at++)
      await commit(database, setWrite('c/late', { text, n: int(at) }));
    expect(sink.failure()).toBe('RESOURCE_EXHAUSTED');
  });

  it('waits for a slow reader, until its patience is over', async () => {
    const { database, clock, ids } = await setUp();
    const waits: ((isDrained: boolean) => void)[] = [];
    const sink = {
      ...createRecordingSink(),
      drained: () => new Promise<boolean>((resolve) => void waits.push(resolve)),
    };
    const stream = createListenStream({ database, sink, ...alice(clock) });
    stream.onMessage(queryTarget(2));
    const sent = sink.take();
    const turn = async () => {
      for (let at = 0; at < 5; at++) await new Promise((resolve) => setImmediate(resolve));
      sent.push(...sink.take());
    };
    await turn();
    expect([sent.length, waits.length]).toEqual([1 + sliceDocuments, 1]);
    waits[0]?.(true);
    await turn();
    expect([sent.length, waits.length]).toEqual([1 + 2 * sliceDocuments, 2]);
    waits[1]?.(false);
    await turn();
    expect(waits).toHaveLength(2);
    expect(sent).toEqual(allOf(ids, 2));
  });

  it('is not sent again to a client that has it', async () => {
    const ones = { where: where('n', 'EQUAL', int(1)) };
    const { database, sink, stream } = await setUp(undefined, [query('c', ones)]);
    stream.onMessage(queryTarget(2, ones, resumeAt(database)));
    expect(sink.take()).toEqual(['ADD 2', 'CURRENT 2', 'SNAPSHOT']);
  });
});

it('an answer whose version has become too old ends the stream, which the client resumes', async () => {
  const clock = createSliceClock(sliceDocuments);
  const { database } = await openTestDatabase({ clock });
  const all = Array.from({ length: count }, (_, at) => setWrite(`c/${at}`, {}));
  await commit(database, ...all);
  const sink = createRecordingSink();
  const stream = createListenStream({ database, sink, ...alice(clock) });
  stream.onMessage(queryTarget(2));
  clock.advance(31_000);
  await eventually(() => expect(sink.failure()).toBe('RESOURCE_EXHAUSTED'));
});

const targetOf = (database: Database, asked: Query) =>
  createQueryTarget({
    query: asked,
    key: '',
    database,
    caller: aliceCaller,
    keep: () => undefined,
  });

it('a resumption is worked out in slices', async () => {
  const { database } = await openTestDatabase({ clock: createSliceClock(18) });
  const from = database.readVersion();
  const paths = Array.from({ length: 200 }, (_, at) => `c/${at}`);
  await commit(database, ...paths.map((path) => setWrite(path, { n: int(1) })));
  const asked = query('c', { where: where('n', 'GREATER_THAN', int(0)) });
  const target = targetOf(database, asked);
  const answer = {
    begin: () => undefined,
    present: () => undefined,
    existing: () => inSlices([], () => undefined, database.elapsedMs),
    left: () => undefined,
  };
  const steps = target.start(database.openView(), { from, expectedCount: 0 }, answer);
  // The log and the count take eleven slices each.
  expect([...steps].length).toBeGreaterThanOrEqual(20);
});

it('a resumption is sent in slices', async () => {
  const { database } = await openTestDatabase({ clock: createSliceClock(27) });
  const from = database.readVersion();
  await commit(database, ...Array.from({ length: 100 }, (_, at) => setWrite(`c/${at}`, {})));
  const target = targetOf(database, query('c', {}));
  const slices = [0];
  const steps = target.start(
    database.openView(),
    { from, expectedCount: null },
    {
      begin: () => undefined,
      present: () => slices.push((slices.pop() ?? 0) + 1),
      existing: () => inSlices([], () => undefined, database.elapsedMs),
      left: () => undefined,
    },
  );
  for (const _ of steps) slices.push(0);
  expect(slices.reduce((sum, each) => sum + each)).toBe(100);
  expect(Math.max(...slices)).toBeLessThan(30);
});
