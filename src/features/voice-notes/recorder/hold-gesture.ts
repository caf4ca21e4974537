import { holdDelayMs } from '../../../../schemas/limits.ts';
import { doubleTapMs } from '../../../lib/dom/repeated-presses.ts';
import type { VoiceRecorder, VoiceRecorderDeps } from './voice-recorder.ts';

/** The position and the time of a finger. */
export interface Touch {
  readonly x: number;
  readonly y: number;
  /** The time that the device reports: a busy page receives a short tap late, and both of its events at once. */
  readonly atMs: number;
}

/** How a finger holds a recording: its release stops the recording, or cancels it after a slide to the left. */
export type Hold = 'stops' | 'cancels';

/**
 * The gesture of a finger on the button: holding records until release, a release to the left of the button cancels,
 * and a tap starts a recording that the next tap stops. The second tap of a double tap stops nothing.
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
  /** Called with the hold that begins or changes, and with null when it ends. */
  readonly onHold: (hold: Hold | null) => void;
}

/** The duration below which a press is a tap. */
const tapMaxMs = 300;
const slideCancelPx = 90;

interface Press extends Touch {
  /** Whether a recording was in progress before. */
  readonly isSecond: boolean;
  readonly cancelDelay: () => void;
}

export function createHoldGesture({ recorder, clock, onHold }: HoldGestureDeps): HoldGesture {
  let press: Press | null = null;
  /** When a tap last started a recording. */
  let tappedAtMs = -Infinity;

  const release = (): Press | null => {
    const released = press;
    released?.cancelDelay();
    press = null;
    onHold(null);
    return released;
  };

  return {
    down: (touch) => {
      const isSecond = recorder.getSnapshot().phase !== 'idle';
      const cancelDelay = isSecond
        ? () => undefined
        : clock.after(holdDelayMs, () => {
            recorder.start();
            onHold('stops');
          });
      press = { ...touch, isSecond, cancelDelay };
    },
    move: ({ x }) => {
      if (press === null || press.isSecond) return;
      onHold(press.x - x < slideCancelPx ? 'stops' : 'cancels');
    },
    up: ({ x, y, atMs }) => {
      const released = release();
      if (released === null) return;
      const { isSecond } = released;
      const isTap = atMs - released.atMs < tapMaxMs;
      const slidPx = isTap ? Math.hypot(released.x - x, released.y - y) : released.x - x;
      if (isSecond && atMs - tappedAtMs < doubleTapMs) return;
      if (!isSecond && slidPx >= slideCancelPx) recorder.cancel();
      else if (isSecond || !isTap) recorder.stop();
      else {
        // The press was shorter than the delay, so nothing has started yet.
        tappedAtMs = atMs;
        recorder.start();
      }
    },
    lost: () => void release(),
  };
}
