import { useAtomValue } from 'jotai';
import Mic from 'lucide-react/icons/mic';
import Square from 'lucide-react/icons/square';
import { useMemo, useRef, useState, type MouseEvent, type PointerEvent, type Ref } from 'react';
import { classNames } from '../../../lib/dom/class-names.ts';
import { shownIf } from '../../../lib/dom/shown-if.ts';
import { isRepeatedTap } from '../../../lib/dom/repeated-presses.ts';
import { clockAtom } from '../../../platform/system-clock.ts';
import { createHoldGesture, type Hold, type Touch } from './hold-gesture.ts';
import { isUnderWay, type RecorderState } from './recorder-state.ts';
import type { VoiceRecorder } from './voice-recorder.ts';

export interface RecordButtonProps {
  readonly recorder: VoiceRecorder;
  readonly state: RecorderState;
  readonly ref: Ref<HTMLButtonElement>;
  readonly size: 'large' | 'bar';
  readonly isHidden?: boolean;
  /** Whether the button keeps its place, but cannot be pressed. */
  readonly isResting?: boolean;
}

const sizes = {
  large: {
    button: 'relative size-28',
    icon: 48,
    // It covers Cancel, which is below the button.
    hint: 'top-full mt-6 min-h-11 bg-paper text-bracken',
  },
  // The button is as high as the box with its paddings, which it overlaps.
  bar: {
    button: 'size-16 -my-2 @max-[18rem]:my-[calc(1.5rem-32px)] @max-[18rem]:size-[64px]',
    icon: 28,
    // It covers Cancel in the bar. With large text there is no room for it.
    hint: 'inset-y-0 left-0 rounded-l-3xl bg-bracken px-4 @max-[18rem]:hidden',
  },
};

function touchOf({ clientX, clientY, timeStamp }: PointerEvent): Touch {
  return { x: clientX, y: clientY, atMs: timeStamp };
}

/** A button that starts and stops with a tap or click, and records while it is held on a touch screen. */
export function RecordButton(props: RecordButtonProps) {
  const { ref, recorder, state, size, isHidden = false, isResting = false } = props;
  const clock = useAtomValue(clockAtom);
  const [hold, setHold] = useState<Hold | null>(null);
  const gesture = useMemo(
    () => createHoldGesture({ recorder, clock, onHold: setHold }),
    [recorder, clock],
  );
  const pressedBy = useRef('mouse');
  const { phase } = state;
  const isActive = isUnderWay(state);
  const label = isActive ? 'Stop' : 'Record';
  const Icon = isActive ? Square : Mic;

  const click = (event: MouseEvent): void => {
    // The gesture has already handled this touch. A click by keyboard or screen reader has detail 0.
    if (event.detail > 0 && pressedBy.current !== 'mouse') return;
    if (isRepeatedTap(event)) return;
    if (isActive) recorder.stop();
    else recorder.start();
  };

  /** Starts the gesture. Browsers capture a touch on the element where it began. */
  const down = (event: PointerEvent): void => {
    pressedBy.current = event.pointerType;
    if (event.pointerType === 'mouse') return;
    gesture.down(touchOf(event));
  };

  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={phase === 'processing'}
      style={shownIf(!isHidden)}
      onClick={click}
      onPointerDown={down}
      onPointerMove={(event) => gesture.move(touchOf(event))}
      onPointerUp={(event) => gesture.up(touchOf(event))}
      onPointerCancel={gesture.lost}
      // A long press must not open a menu.
      onContextMenu={(event) => event.preventDefault()}
      className={classNames(
        'inline-flex flex-none touch-none items-center justify-center rounded-full select-none',
        'transition-colors aria-disabled:opacity-60',
        // A touch that began on the icon would be lost when another icon replaces it.
        '*:pointer-events-none',
        isActive ? 'bg-bracken text-paper' : 'bg-heather text-paper hover:opacity-90',
        sizes[size].button,
        isResting && 'invisible',
      )}
    >
      <Icon aria-hidden size={sizes[size].icon} fill={isActive ? 'currentColor' : 'none'} />
      {hold !== null && phase === 'recording' && (
        <span
          aria-hidden
          className={classNames(
            'absolute flex items-center font-semibold whitespace-nowrap',
            sizes[size].hint,
          )}
        >
          {hold === 'stops' ? '← Slide to cancel' : 'Release to cancel'}
        </span>
      )}
    </button>
  );
}
