import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fake-clock.ts';
import { createHoldGesture } from './hold-gesture.ts';
import type { RecorderPhase } from './voice-recorder.ts';

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
    onCancelled: () => asked.push('cancelled'),
  });
  return { clock, asked, gesture };
}

const here = { x: 100, y: 500 };

describe('a finger on the record button', () => {
  it('records after 80 ms, for as long as it is held', async () => {
    const { clock, asked, gesture } = setUp();
    gesture.down(here);
    await clock.advance(79);
    expect(asked).toEqual([]);
    await clock.advance(1);
    expect(asked).toEqual(['start']);
    await clock.advance(2_000);
    gesture.up();
    expect(asked).toEqual(['start', 'stop']);
  });

  it.each([30, 200])('that taps for %i ms starts, and the next tap stops', async (ms) => {
    const { clock, asked, gesture } = setUp();
    gesture.down(here);
    await clock.advance(ms);
    gesture.up();
    expect(asked).toEqual(['start']);
    await clock.advance(3_000);
    gesture.down(here);
    await clock.advance(ms);
    expect(asked).toEqual(['start']);
    gesture.up();
    expect(asked).toEqual(['start', 'stop']);
  });

  it('that slides away cancels, once', async () => {
    const { clock, asked, gesture } = setUp();
    gesture.down(here);
    await clock.advance(500);
    gesture.move({ x: 60, y: 500 });
    expect(asked).toEqual(['start']);
    gesture.move({ x: 5, y: 500 });
    gesture.move({ x: 0, y: 500 });
    gesture.up();
    expect(asked).toEqual(['start', 'cancel', 'cancelled']);
  });

  it('that slides away before anything began begins nothing', async () => {
    const { clock, asked, gesture } = setUp();
    gesture.down(here);
    gesture.move({ x: 100, y: 300 });
    await clock.advance(1_000);
    expect(asked).not.toContain('start');
  });

  it('that the browser takes away leaves the recording on, for a tap to end', async () => {
    const { clock, asked, gesture } = setUp();
    gesture.down(here);
    await clock.advance(500);
    gesture.lost();
    gesture.up();
    expect(asked).toEqual(['start']);
    gesture.down(here);
    gesture.up();
    expect(asked).toEqual(['start', 'stop']);
  });
});
