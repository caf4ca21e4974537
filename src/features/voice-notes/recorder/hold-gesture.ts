import { holdDelayMs } from '../../../../schemas/limits.ts';
import type { VoiceRecorder, VoiceRecorderDeps } from './voice-recorder.ts';

/** Where a finger is, and when. */
export interface Touch {
  readonly x: number;
  readonly y: number;
  /** As the device says: a busy page hears of a short tap late, and of both its ends at once. */
  readonly atMs: number;
}

/**
 * A finger on the button: holding records while it is held, sliding away cancels, and a tap starts a recording that the
 * next tap stops.
 */
export interface HoldGesture {
  readonly down: (touch: Touch) => void;
  readonly move: (touch: Touch) => void;
  readonly up: (touch: Touch) => void;
  /** The browser has taken the finger away. What was recorded goes on, for another tap to end. */
  readonly lost: () => void;
}

export interface HoldGestureDeps {
  readonly recorder: Pick<VoiceRecorder, 'getSnapshot' | 'start' | 'stop' | 'cancel'>;
  readonly clock: Pick<VoiceRecorderDeps['clock'], 'after'>;
  /** It was slid away. */
  readonly onCancelled: () => void;
}

/** A shorter press is a tap. */
const tapMaxMs = 300;
const slideCancelPx = 90;

interface Press extends Touch {
  /** The recording was under way before. */
  readonly isSecond: boolean;
  readonly cancelDelay: () => void;
}

export function createHoldGesture({ recorder, clock, onCancelled }: HoldGestureDeps): HoldGesture {
  let press: Press | null = null;

  const release = (): Press | null => {
    const released = press;
    released?.cancelDelay();
    press = null;
    return released;
  };

  return {
    down: (touch) => {
      const isSecond = recorder.getSnapshot().phase !== 'idle';
      const cancelDelay = isSecond
        ? () => undefined
        : clock.after(holdDelayMs, () => recorder.start());
      press = { ...touch, isSecond, cancelDelay };
    },
    move: ({ x, y }) => {
      if (press === null || press.isSecond) return;
      if (Math.hypot(x - press.x, y - press.y) < slideCancelPx) return;
      release();
      recorder.cancel();
      onCancelled();
    },
    up: ({ atMs }) => {
      const released = release();
      if (released === null) return;
      const isTap = atMs - released.atMs < tapMaxMs;
      if (released.isSecond || !isTap) recorder.stop();
      // Shorter than the delay: nothing has started yet.
      else recorder.start();
    },
    lost: () => void release(),
  };
}
