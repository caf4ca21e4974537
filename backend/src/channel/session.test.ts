import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import { defaultLimits } from '../limits/defaults.ts';
import { createSliceClock } from '../../tests/support/fakes/slice-clock.ts';
import { finish } from '../limits/slices.ts';
import { defaultTimes, createSession } from './session.ts';

describe('a long answer', () => {
  const text = 'x'.repeat(20);
  const setUp = () => {
    const clock = createManualClock();
    const session = createSession({
      elapsedMs: () => clock.elapsedMs(),
      limits: defaultLimits,
      times: { ...defaultTimes, backlogChars: 30, patienceMs: 3000 },
      onSize: () => undefined,
    });
    return { clock, session };
  };

  it('does not wait for a client that keeps up', () => {
    const { session } = setUp();
    session.send(text);
    expect(session.drained()).toBeUndefined();
  });

  it('waits until the client has acknowledged most of it', async () => {
    const { session } = setUp();
    for (let at = 0; at < 3; at++) session.send(text);
    let isOver = false;
    const drained = session.drained()?.finally(() => {
      isOver = true;
    });
    session.acknowledge(1);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    expect(isOver).toBe(false);
    session.acknowledge(2);
    expect(await drained).toBe(true);
    expect(session.drained()).toBeUndefined();
  });

  it('waits for some seconds at most', async () => {
    const { clock, session } = setUp();
    for (let at = 0; at < 3; at++) session.send(text);
    const drained = session.drained();
    clock.advance(3000);
    session.tick(defaultTimes.idleAfterMs);
    expect(await drained).toBe(false);
  });

  it.each([
    ['that was closed', 'close'],
    ['whose last message was sent', 'sendLast'],
  ] as const)('waits for no session %s', async (_, end) => {
    const { session } = setUp();
    for (let at = 0; at < 3; at++) session.send(text);
    const drained = session.drained();
    session[end]('over');
    expect(await drained).toBe(false);
    expect(session.drained()).toBeUndefined();
  });
});

describe('messages that are due', () => {
  const setUp = (drained: () => Promise<void> | undefined) => {
    const received: unknown[] = [];
    const session = createSession({
      elapsedMs: createSliceClock(192).elapsedMs,
      limits: defaultLimits,
      times: defaultTimes,
      onSize: () => undefined,
    });
    session.setHandler({
      onMessage: (message) => void received.push(message),
      onOversized: () => undefined,
      onClose: () => undefined,
      drained,
    });
    const receive = (offset: number, count: number) =>
      session.receive({
        offset,
        messages: Array.from({ length: count }, (_, at) => Buffer.from(`${offset + at}`)),
        bytes: 0,
      });
    return { session, received, receive };
  };

  it('are delivered in slices and in order, with those that come meanwhile', () => {
    const { session, received, receive } = setUp(() => undefined);
    receive(0, 500);
    const steps = session.deliver();
    expect([steps.next().done, received.length]).toEqual([false, 192]);
    receive(500, 2);
    expect(finish(session.deliver())).toBe(true);
    expect(received.length).toBe(192);
    expect(finish(steps)).toBe(true);
    expect(received).toEqual(Array.from({ length: 502 }, (_, at) => at));
  });

  it('wait while their handler is busy', () => {
    const busy = Promise.resolve();
    const { session, received, receive } = setUp(() => (received.length === 3 ? busy : undefined));
    receive(0, 5);
    const steps = session.deliver();
    expect([steps.next().value, received.length]).toEqual([busy, 3]);
    expect(finish(steps)).toBe(true);
    expect(received.length).toBe(5);
  });
});

it('a message of more than 10 MiB is refused, and one that cannot be smaller is not decoded', () => {
  const onMessage = vi.fn<() => void>();
  const onOversized = vi.fn<() => void>();
  const session = createSession({
    elapsedMs: () => 0,
    limits: defaultLimits,
    times: defaultTimes,
    onSize: () => undefined,
  });
  session.setHandler({ onMessage, onOversized, onClose: () => undefined });
  const most = 10 * 1024 * 1024;
  const texts = ['%20'.repeat(most - 1), '+'.repeat(most), '+'.repeat(3 * most)];
  const messages = texts.map((each) => Buffer.from(`1${each}`));
  const decodings = messages.map((each) => vi.spyOn(each, 'toString'));
  session.receive({ offset: 0, messages, bytes: 0 });
  expect(finish(session.deliver())).toBe(true);
  expect(onMessage).toHaveBeenCalledTimes(1);
  expect(onOversized).toHaveBeenCalledTimes(2);
  expect(decodings.map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
});

it('a handler that comes after the end of its session is closed', () => {
  const onClose = vi.fn<() => void>();
  const session = createSession({
    elapsedMs: () => 0,
    limits: defaultLimits,
    times: defaultTimes,
    onSize: () => undefined,
  });
  session.close();
  session.setHandler({ onMessage: () => undefined, onOversized: () => undefined, onClose });
  expect(onClose).toHaveBeenCalledTimes(1);
});
