import { describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { int, setWrite } from '../../../tests/support/firestore-json.ts';
import { createRecordingLog } from '../../../tests/support/fakes/recording-log.ts';
import { createRecordingSink } from '../../../tests/support/fakes/recording-sink.ts';
import { aliceCaller, openTestDatabase } from '../../../tests/support/test-database.ts';
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

async function open() {
  let isMeasuring = false;
  let unmeasured = 0;
  const { database } = await openTestDatabase({
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
  const measure = <Result>(work: () => Result): Result => {
    isMeasuring = true;
    try {
      return work();
    } finally {
      isMeasuring = false;
    }
  };
  const { log, lines } = createRecordingLog();
  const caller = aliceCaller;
  const stream = createWriteStream({ database, caller, sink, isCurrent, measure, log });
  const revoke = () => {
    isRevoked = true;
  };
  return { database, sink, stream, lines, revoke, unmeasured: () => unmeasured };
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

  it('takes the next batch when those before it have begun', async () => {
    const { database, stream } = await open();
    stream.onMessage({});
    expect(stream.drained?.()).toBeUndefined();
    for (const path of ['c/a', 'c/b']) stream.onMessage(increment(path));
    const drained = stream.drained?.();
    expect(drained).toBeInstanceOf(Promise);
    await drained;
    expect(database.peek('c/b')).not.toBeNull();
    expect(stream.drained?.()).toBeUndefined();
  });

  it('does not queue without end', async () => {
    const { stream } = await open();
    stream.onMessage({});
    const flood = () => {
      for (let at = 0; at < 101; at++) stream.onMessage(increment('c/a'));
    };
    expect(flood).toThrow(expect.objectContaining({ status: 'RESOURCE_EXHAUSTED' }));
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
