import { useEffect, useRef } from 'react';
import { recordingMaxMs, recordingWarningMs } from '../../../../schemas/limits.ts';
import { countText } from '../../../lib/text/count-text.ts';
import { durationText } from '../../../lib/dates/duration-text.ts';
import type { RecorderState } from './recorder-state.ts';
import type { VoiceRecorder } from './voice-recorder.ts';

export interface RecordingMeterProps {
  readonly recorder: VoiceRecorder;
  readonly state: RecorderState;
}

/** Returns the remaining whole seconds near the limit; null before. */
function secondsLeft(elapsedMs: number): number | null {
  const leftMs = recordingMaxMs - elapsedMs;
  return leftMs > recordingWarningMs ? null : Math.ceil(leftMs / 1_000);
}

/** Returns the elapsed whole seconds: "0:07". */
function elapsedText(elapsedMs: number): string {
  return durationText(Math.floor(elapsedMs / 1_000) * 1_000);
}

/** The loudness and the elapsed time of a recording, and the remaining time near the limit. */
export function RecordingMeter({ recorder, state: { phase, elapsedMs } }: RecordingMeterProps) {
  const left = secondsLeft(elapsedMs);
  const isStarting = phase === 'starting';
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3 @max-[18rem]:justify-end">
      <Level recorder={recorder} />
      <span role="timer" aria-label="Recorded" className="flex-none font-semibold tabular-nums">
        {isStarting ? 'Starting…' : elapsedText(elapsedMs)}
      </span>
      <span role="status" className="flex-none tabular-nums">
        {left !== null && !isStarting && <Left seconds={left} />}
      </span>
    </div>
  );
}

function Left({ seconds }: { readonly seconds: number }) {
  return (
    <>
      <span aria-hidden>{`${String(seconds)} s left`}</span>
      <span className="sr-only">{`${countText(seconds, 'second')} left`}</span>
    </>
  );
}

function Level({ recorder }: Pick<RecordingMeterProps, 'recorder'>) {
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = (): void => {
      if (ref.current !== null) ref.current.style.transform = `scaleX(${String(recorder.level())})`;
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [recorder]);
  return (
    <span
      role="img"
      aria-label="Level"
      className="h-2 min-w-8 flex-1 @max-[18rem]:hidden overflow-hidden rounded-full bg-current/25"
    >
      <span ref={ref} className="block h-full w-full origin-left rounded-full bg-current" />
    </span>
  );
}
