import { useAtomValue } from 'jotai';
import { Mic, Square } from 'lucide-react';
import { useMemo, useRef, type PointerEvent } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { clockAtom } from '../../platform/system-clock.ts';
import { createHoldGesture } from './hold-gesture.ts';
import { isUnderWay, type RecorderState, type VoiceRecorder } from './voice-recorder.ts';

export interface RecordButtonProps {
  readonly recorder: VoiceRecorder;
  readonly state: RecorderState;
  readonly size: 'large' | 'bar';
  readonly isHidden?: boolean;
  /** Its place is kept, and it cannot be pressed. */
  readonly isResting?: boolean;
}

const sizes = {
  large: { button: 'size-28', icon: 48 },
  bar: { button: 'size-12', icon: 22 },
};

/** Tapped or clicked it starts and stops; held on a touch screen it records for as long. */
export function RecordButton(props: RecordButtonProps) {
  const { recorder, state, size, isHidden = false, isResting = false } = props;
  const clock = useAtomValue(clockAtom);
  const gesture = useMemo(
    () => createHoldGesture({ recorder, clock, onCancelled: () => undefined }),
    [recorder, clock],
  );
  /** What the browser makes of a touch when it is over. */
  const isClickOfTouch = useRef(false);
  const { phase } = state;
  const isActive = isUnderWay(state);
  const label = isActive ? 'Stop' : 'Record';
  const Icon = isActive ? Square : Mic;

  const click = (): void => {
    if (isClickOfTouch.current) isClickOfTouch.current = false;
    else if (isActive) recorder.stop();
    else recorder.start();
  };

  const down = (event: PointerEvent<HTMLButtonElement>): void => {
    isClickOfTouch.current = event.pointerType !== 'mouse';
    if (!isClickOfTouch.current) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    gesture.down({ x: event.clientX, y: event.clientY });
  };

  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={phase === 'processing'}
      hidden={isHidden}
      onClick={click}
      onKeyDown={() => {
        isClickOfTouch.current = false;
      }}
      onPointerDown={down}
      onPointerMove={(event) => gesture.move({ x: event.clientX, y: event.clientY })}
      onPointerUp={gesture.up}
      onPointerCancel={gesture.lost}
      // A long press asks for no menu here.
      onContextMenu={(event) => event.preventDefault()}
      className={classNames(
        'inline-flex flex-none touch-none items-center justify-center rounded-full select-none',
        'transition-colors aria-disabled:opacity-60 [[hidden]]:hidden',
        isActive ? 'bg-bracken text-paper' : 'bg-heather text-paper hover:opacity-90',
        sizes[size].button,
        isResting && 'invisible',
      )}
    >
      <Icon aria-hidden size={sizes[size].icon} fill={isActive ? 'currentColor' : 'none'} />
    </button>
  );
}
