import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { RemoteError } from '../ports.ts';
import { withinLimit } from './request-limit.ts';

/** Ends only when it is aborted, as a request without an answer does. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = (): void => reject(new Error('aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  });

function setUp() {
  const clock = createFakeClock();
  const controller = new AbortController();
  return { clock, controller, limit: { clock, timeoutMs: 1_000, signal: controller.signal } };
}

describe('a request within its limit', () => {
  it('gives its result', async () => {
    expect(await withinLimit(setUp().limit, async () => 'done')).toBe('done');
  });

  it('is aborted at the limit, as a transient time-out', async () => {
    const { clock, limit } = setUp();
    const outcomes: unknown[] = [];
    const late = withinLimit(limit, untilAborted).catch((error: unknown) => outcomes.push(error));
    await clock.advance(999);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    await late;
    expect(outcomes).toMatchObject([{ kind: 'transient', code: 'timeout' }]);
  });

  it('ends with the reason of its caller, also if that has given up before it began', async () => {
    const { clock, controller, limit } = setUp();
    const given = withinLimit(limit, untilAborted);
    controller.abort(new Error('no longer needed'));
    await expect(given).rejects.toThrow('no longer needed');
    await clock.advance(1_000);
    await expect(withinLimit(limit, untilAborted)).rejects.toThrow('no longer needed');
  });

  it.each([
    ['at the limit', 'timeout'],
    ['when its caller gives up', 'no longer needed'],
  ])('ends %s, also if it waits for what follows no abort', async (when, told) => {
    const { clock, controller, limit } = setUp();
    const outcomes: unknown[] = [];
    const ended = withinLimit(limit, () => new Promise(() => undefined)).catch((error: unknown) =>
      outcomes.push(String(error)),
    );
    if (when === 'at the limit') await clock.advance(1_000);
    else controller.abort(new Error(told));
    await expect.poll(() => outcomes).toEqual([expect.stringContaining(told)]);
    await ended;
  });

  it('fails as a remote error: its own, or else as unavailable', async () => {
    const { limit } = setUp();
    const own = new RemoteError('permanent', 'http-403');
    await expect(withinLimit(limit, () => Promise.reject(own))).rejects.toBe(own);
    const lost = withinLimit(limit, () => Promise.reject(new TypeError('failed to fetch')));
    await expect(lost).rejects.toMatchObject({ kind: 'transient', code: 'unavailable' });
  });

  it('is not aborted after it has ended', async () => {
    const { clock, controller, limit } = setUp();
    const signals: AbortSignal[] = [];
    const keep = async (signal: AbortSignal): Promise<void> => void signals.push(signal);
    await withinLimit(limit, keep);
    await expect(
      withinLimit(limit, (signal) => {
        signals.push(signal);
        return Promise.reject(new Error('no'));
      }),
    ).rejects.toThrow('unavailable');
    await clock.advance(5_000);
    controller.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});
