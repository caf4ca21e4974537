import { describe, expect, it } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import { createRecordingLog } from '../../tests/support/fakes/recording-log.ts';
import { LimitError } from '../limits/limit-error.ts';
import { createResources } from '../limits/resources.ts';
import { createChannelServer } from './channel-server.ts';
import type { StreamHandler } from '../stream.ts';

/** Opens a session with two messages, and returns what is logged by its end. */
async function logOf(toHandler: () => StreamHandler): Promise<readonly unknown[]> {
  const { log, lines } = createRecordingLog();
  const clock = createManualClock();
  const resources = createResources({ clock });
  const server = createChannelServer({ clock, resources, log, open: async () => toHandler() });
  const form = { count: '2', ofs: '0', req0___data__: '"hello"', req1___data__: '"world"' };
  const request = {
    method: 'POST',
    path: '/Listen/channel',
    query: new URLSearchParams(),
    address: '192.0.2.1',
    body: Buffer.from(new URLSearchParams(form).toString()),
  };
  const nothing = () => undefined;
  const open = (isStreaming: boolean, waitMs: number) => ({
    isStreaming,
    waitMs,
    write: nothing,
    end: nothing,
    drop: nothing,
    isReady: () => true,
  });
  server.handle(request, { answer: nothing, open, onGone: nothing, onReady: nothing });
  await eventually(() => expect(server.sessionCount()).toBe(0));
  return lines;
}

describe('an unexpected error', () => {
  const logged = [{ level: 'error', event: 'channel failed', error: 'TypeError' }];

  it('while a session is opened is logged', async () => {
    const fail = () => {
      throw new TypeError('a defect');
    };
    expect(await logOf(fail)).toEqual(logged);
  });

  it('while messages are delivered is logged, and a limit is not', async () => {
    const throwing = (error: Error) => () => ({
      onMessage(message: unknown) {
        if (message === 'world') throw error;
      },
      async drained() {},
      onOversized: () => undefined,
      onClose: () => undefined,
    });
    expect(await logOf(throwing(new TypeError('a defect')))).toEqual(logged);
    expect(await logOf(throwing(new LimitError(1)))).toEqual([]);
  });
});
