import { describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { int, setWrite } from '../../../tests/support/firestore-json.ts';
import { createRecordingLog } from '../../../tests/support/fakes/recording-log.ts';
import { createRecordingSink } from '../../../tests/support/fakes/recording-sink.ts';
import { aliceCaller, openTestDatabase } from '../../../tests/support/test-database.ts';
import type { Limits } from '../../limits/defaults.ts';
import { createResources, type Resources } from '../../limits/resources.ts';
import { createWriteStream } from './write-stream.ts';

const increment = (path: string) => ({
  writes: [
    setWrite(
      path,
      {},
      {
        updateMask: { fieldPaths: [] },
        updateTransforms: [{ fieldPath: 'n', increment: int(1) }],
      },
    ),
  ],
});

const client = { uid: aliceCaller.uid, address: '192.0.2.1' };

async function open(limits: Partial<Limits> = {}) {
  let isMeasuring = false;
  let unmeasured = 0;
  const { database, store, clock } = await openTestDatabase({
    policy(request) {
      if (!isMeasuring) unmeasured++;
      if (request.operation === 'list') return false;
      if (request.path === 'c/defect') throw new TypeError('a defect');
      return request.path !== 'c/forbidden';
    },
  });
  const sink = createRecordingSink();
  let isRevoked = false;
  const isCurrent = () => !isRevoked;
  const resources = createResources({ clock, limits });
  const measure: Resources['work']['measure'] = (charged, work) => {
    isMeasuring = true;
    try {
      return resources.work.measure(charged, work);
    } finally {
      isMeasuring = false;
    }
  };
  const { log, lines } = createRecordingLog();
  const stream = createWriteStream({
    database,
    caller: aliceCaller,
    client,
    sink,
    isCurrent,
    log,
    resources: { ...resources, work: { ...resources.work, measure } },
  });
  const revoke = () => {
    isRevoked = true;
  };
  return { database, store, resources, sink, stream, lines, revoke, unmeasured: () => unmeasured };
}

describe('the write stream', () => {
  it('greets with a token and answers each batch in order with results and a token', async () => {
    const { sink, stream, unmeasured } = await open();
    stream.onMessage({ database: 'd' });
    expect(sink.take()).toEqual([{ streamId: '1', streamToken: expect.stringMatching(/./) }]);
    stream.onMessage(increment('c/a'));
    stream.onMessage(increment('c/a'));
    const answers: unknown[] = [];
    await eventually(() => {
      answers.push(...sink.take());
      expect(answers.length).toBe(2);
    });
    expect(answers).toEqual(
      ['1', '2'].map((integerValue) => ({
        streamToken: expect.stringMatching(/./),
        commitTime: expect.any(String),
        writeResults: [{ updateTime: expect.any(String), transformResults: [{ integerValue }] }],
      })),
    );
    // The checks of a commit are charged to the client.
    expect(unmeasured()).toBe(0);
  });

  it('answers an empty batch with a token only', async () => {
    const { sink, stream } = await open();
    stream.onMessage({});
    sink.take();
    stream.onMessage({ writes: [] });
    await eventually(() => expect(sink.take()).toEqual([{ streamToken: expect.any(String) }]));
  });

  it('refuses a batch that is too large in its turn, after what was sent before', async () => {
    const { database, sink, stream } = await open();
    stream.onMessage({});
    stream.onMessage(increment('c/a'));
    stream.onOversized();
    await eventually(() => expect(sink.failure()).toBe('INVALID_ARGUMENT'));
    expect(sink.take().length).toBe(2);
    expect(database.peek('c/a')?.fields.get('n')).toEqual({ kind: 'integer', value: 1n });
  });

  it('takes the next batch when those before it are stored', async () => {
    const { database, stream } = await open();
    stream.onMessage({});
    expect(stream.drained?.()).toBeUndefined();
    for (const path of ['c/a', 'c/b']) {
      stream.onMessage(increment(path));
      const drained = stream.drained?.();
      expect(drained).toBeInstanceOf(Promise);
      await drained;
      expect(database.peek(path)).not.toBeNull();
      expect(stream.drained?.()).toBeUndefined();
    }
  });

  it('commits nothing that waits when it closes', async () => {
    const { database, resources, sink, stream } = await open();
    stream.onMessage({});
    sink.take();
    await resources.turns.run(client, () => {
      for (const path of ['c/a', 'c/b']) stream.onMessage(increment(path));
    });
    stream.onClose();
    await stream.drained?.();
    await database.commit(aliceCaller, []);
    expect([database.peek('c/a'), database.peek('c/b'), sink.take()]).toEqual([null, null, []]);
  });

  it('commits nothing for a token that was revoked, and leaves the error to whoever ends the stream', async () => {
    const { database, sink, stream, revoke } = await open();
    stream.onMessage({});
    stream.onMessage(increment('c/a'));
    await eventually(() => expect(database.peek('c/a')).not.toBeNull());
    stream.onMessage(increment('c/b'));
    revoke();
    stream.onMessage(increment('c/b'));
    await database.commit(aliceCaller, []);
    await database.commit(aliceCaller, []);
    expect([database.peek('c/b'), sink.failure()]).toEqual([null, undefined]);
  });

  it('commits nothing for a token that is revoked while a batch waits for its turn', async () => {
    const { database, resources, sink, stream, revoke } = await open();
    stream.onMessage({});
    await resources.turns.run(client, () => stream.onMessage(increment('c/a')));
    const later = resources.turns.later(client, () => undefined);
    revoke();
    await later;
    await database.commit(aliceCaller, []);
    expect([database.peek('c/a'), sink.failure()]).toEqual([null, undefined]);
  });

  it('takes a turn for each batch, after the work of its client that waits', async () => {
    const { resources, sink, stream } = await open();
    stream.onMessage({});
    sink.take();
    const order: string[] = [];
    const work = [1, 2].map(async (at) => {
      await resources.turns.later(client, () => order.push(`work ${at}`));
    });
    stream.onMessage(increment('c/a'));
    await eventually(() => expect(sink.take().map(() => order.push('batch'))).toEqual([3]));
    await Promise.all(work);
    expect(order).toEqual(['work 1', 'work 2', 'batch']);
  });

  it('ends while its client is over the rate, and commits nothing', async () => {
    const { database, resources, sink, stream } = await open({
      work: { burst: 20, everyMs: 1000 },
    });
    stream.onMessage({});
    resources.work.charge(client, 1000);
    stream.onMessage(increment('c/a'));
    await eventually(() => expect(sink.failure()).toBe('RESOURCE_EXHAUSTED'));
    expect(database.peek('c/a')).toBeNull();
  });

  it('ends at the first refused batch, so that what follows is not applied twice', async () => {
    const { database, sink, stream, lines } = await open();
    stream.onMessage({});
    for (const path of ['c/a', 'c/forbidden', 'c/a']) stream.onMessage(increment(path));
    await eventually(() => expect(sink.failure()).toBe('PERMISSION_DENIED'));
    expect(lines).toEqual([]);
    await database.commit(aliceCaller, []);
    const n = database.peek('c/a')?.fields.get('n');
    expect(n).toEqual({ kind: 'integer', value: 1n });
  });
  it('logs an unexpected error, of which the client learns nothing', async () => {
    const { sink, stream, lines } = await open();
    stream.onMessage({});
    stream.onMessage(increment('c/defect'));
    await eventually(() => expect(sink.failure()).toBe('INTERNAL'));
    expect(lines).toEqual([{ level: 'error', event: 'stream failed', error: 'TypeError' }]);
  });
});
