import { holdDelayMs } from '../../../../schemas/limits.ts';
import type { VoiceRecorder, VoiceRecorderDeps } from './voice-recorder.ts';

/** The position and the time of a finger. */
export interface Touch {
  readonly x: number;
  readonly y: number;
  /** The time that the device reports: a busy page receives a short tap late, and both of its events at once. */
  readonly atMs: number;
}

/**
 * The gesture of a finger on the button: holding records until release, sliding away cancels, and a tap starts a
 * recording that the next tap stops.
 */
export interface HoldGesture {
  readonly down: (touch: Touch) => void;
  readonly move: (touch: Touch) => void;
  readonly up: (touch: Touch) => void;
  /** The browser has cancelled the touch. The recording continues until another tap. */
  readonly lost: () => void;
}

export interface HoldGestureDeps {
  readonly recorder: Pick<VoiceRecorder, 'getSnapshot' | 'start' | 'stop' | 'cancel'>;
  readonly clock: Pick<VoiceRecorderDeps['clock'], 'after'>;
}

/** The duration below which a press is a tap. */
const tapMaxMs = 300;
const slideCancelPx = 90;

interface Press extends Touch {
  /** Whether a recording was in progress before. */
  readonly isSecond: boolean;
  readonly cancelDelay: () => void;
}

export function createHoldGesture({ recorder, clock }: HoldGestureDeps): HoldGesture {
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
    },
    up: ({ atMs }) => {
      const released = release();
      if (released === null) return;
      const isTap = atMs - released.atMs < tapMaxMs;
      if (released.isSecond || !isTap) recorder.stop();
      // The press was shorter than the delay, so nothing has started yet.
      else recorder.start();
    },
    lost: () => void release(),
  };
}
