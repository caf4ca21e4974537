import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../tests/support/fakes/fake-clock.ts';
import { createHoldGesture } from './hold-gesture.ts';
import type { RecorderPhase } from './recorder-state.ts';

function setUp() {
  const clock = createFakeClock();
  const asked: string[] = [];
  let phase: RecorderPhase = 'idle';
  const become = (name: string, next: RecorderPhase) => () => {
    asked.push(name);
    phase = next;
  };
  const gesture = createHoldGesture({
    clock,
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
    down: () => gesture.down(at(100, 500)),
    move: (x: number, y: number) => gesture.move(at(x, y)),
    up: (atMs = clock.now()) => gesture.up({ ...at(100, 500), atMs }),
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

  it('cancels once when it slides away', async () => {
    const { clock, asked, down, move, up } = setUp();
    down();
    await clock.advance(500);
    move(60, 500);
    expect(asked).toEqual(['start']);
    move(5, 500);
    move(0, 500);
    up();
    expect(asked).toEqual(['start', 'cancel']);
  });

  it('starts nothing when it slides away before the start', async () => {
    const { clock, asked, down, move } = setUp();
    down();
    move(100, 300);
    await clock.advance(1_000);
    expect(asked).not.toContain('start');
  });

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
