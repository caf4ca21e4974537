import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import { defaultLimits } from '../limits/defaults.ts';
import { defaultTimes, createSession } from './session.ts';

describe('a long answer', () => {
  const text = 'x'.repeat(20);
  const setUp = () => {
    const clock = createManualClock();
    const session = createSession({
      now: () => clock.now(),
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
