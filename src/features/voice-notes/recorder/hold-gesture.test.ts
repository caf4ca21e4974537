import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../tests/support/fakes/fake-clock.ts';
import { createHoldGesture, type Hold } from './hold-gesture.ts';
import type { RecorderPhase } from './recorder-state.ts';

function setUp() {
  const clock = createFakeClock();
  const asked: string[] = [];
  let phase: RecorderPhase = 'idle';
  const become = (name: string, next: RecorderPhase) => () => {
    asked.push(name);
    phase = next;
  };
  const holds: (Hold | null)[] = [];
  const gesture = createHoldGesture({
    clock,
    onHold: (hold) => void holds.push(hold),
    recorder: {
      getSnapshot: () => ({ phase, elapsedMs: 0, problem: null }),
      start: () => {
        if (phase === 'idle') become('start', 'recording')();
      },
      stop: become('stop', 'idle'),
      cancel: become('cancel', 'idle'),
    },
  });
  const at = (x: number, y: number) => ({ x, y, atMs: clock.now() });
  return {
    clock,
    asked,
    holds,
    down: () => gesture.down(at(100, 500)),
    move: (x: number, y: number) => gesture.move(at(x, y)),
    up: (atMs = clock.now()) => gesture.up({ ...at(100, 500), atMs }),
    upAt: (x: number, y: number) => gesture.up(at(x, y)),
    lost: gesture.lost,
  };
}

describe('a finger on the record button', () => {
  it('records after 80 ms, for as long as it is held', async () => {
    const { clock, asked, down, up } = setUp();
    down();
    await clock.advance(79);
    expect(asked).toEqual([]);
    await clock.advance(1);
    expect(asked).toEqual(['start']);
    await clock.advance(2_000);
    up();
    expect(asked).toEqual(['start', 'stop']);
  });

  it('starts with a double tap, and stops with the tap after it', async () => {
    const { clock, asked, down, up } = setUp();
    for (const pauseMs of [60, 180, 60, 3_000, 60, 0]) {
      if (pauseMs === 60) down();
      else up();
      await clock.advance(pauseMs);
    }
    expect(asked).toEqual(['start', 'stop']);
  });

  it.each([30, 200])('starts with a tap of %i ms, and the next tap stops', async (ms) => {
    const { clock, asked, down, up } = setUp();
    down();
    await clock.advance(ms);
    up();
    expect(asked).toEqual(['start']);
    await clock.advance(3_000);
    down();
    await clock.advance(ms);
    expect(asked).toEqual(['start']);
    up();
    expect(asked).toEqual(['start', 'stop']);
  });

  it('counts a short touch as a tap, even if the page receives its end late', async () => {
    const { clock, asked, down, up } = setUp();
    down();
    const atMs = clock.now() + 60;
    await clock.advance(700);
    up(atMs);
    expect(asked).toEqual(['start']);
  });

  it('cancels when it is released to the left', async () => {
    const { clock, asked, holds, down, move, upAt } = setUp();
    down();
    await clock.advance(500);
    move(60, 500);
    move(5, 500);
    expect(asked).toEqual(['start']);
    expect(holds).toEqual(['stops', 'stops', 'cancels']);
    upAt(5, 500);
    expect(asked).toEqual(['start', 'cancel']);
    expect(holds.at(-1)).toBeNull();
  });

  it('keeps the recording when it slides back before the release', async () => {
    const { clock, asked, holds, down, move, up } = setUp();
    down();
    await clock.advance(500);
    move(5, 500);
    move(95, 500);
    expect(holds.at(-1)).toBe('stops');
    up();
    expect(asked).toEqual(['start', 'stop']);
  });

  it.each([
    [100, 300],
    [100, 700],
    [300, 500],
  ])('keeps the recording when it slides to %i, %i', async (x, y) => {
    const { clock, asked, down, move, upAt } = setUp();
    down();
    await clock.advance(2_000);
    move(x, y);
    expect(asked).toEqual(['start']);
    upAt(x, y);
    expect(asked).toEqual(['start', 'stop']);
  });

  it.each([60, 200])(
    'starts nothing that stays when it swipes over the button in %i ms',
    async (ms) => {
      const { clock, asked, down, upAt } = setUp();
      down();
      await clock.advance(ms);
      upAt(100, 300);
      await clock.advance(1_000);
      expect(asked.at(-1)).toBe('cancel');
    },
  );

  it('leaves the recording on when the browser cancels the touch, and another tap ends it', async () => {
    const { clock, asked, down, up, lost } = setUp();
    down();
    await clock.advance(500);
    lost();
    up();
    expect(asked).toEqual(['start']);
    down();
    up();
    expect(asked).toEqual(['start', 'stop']);
  });
});
