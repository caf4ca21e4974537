import { useMemo } from 'react';
import { waveformLength } from '../../../../schemas/limits.ts';
import { barsOf } from '../../../lib/media/waveform.ts';

export interface WaveformProps {
  /** See `Entry`. */
  readonly waveform: string | undefined;
  /** The played part, from 0 to 1. */
  readonly played: number;
}

/** The width of a bar and the gap after it, in units of the drawing. */
const stepUnits = 3;
const barUnits = 2;
const heightUnits = 24;
/** The height of a bar that stands for silence. */
const lowestUnits = 2;

/** Draws all bars as one path, because a journal may show many waveforms. */
function pathOf(bars: readonly number[]): string {
  return bars
    .map((level, index) => {
      const height = Math.max(lowestUnits, Math.round(level * heightUnits));
      const top = (heightUnits - height) / 2;
      return `M${String(index * stepUnits)} ${String(top)}h${String(barUnits)}v${String(height)}h-${String(barUnits)}z`;
    })
    .join('');
}

/** The waveform of a recording; the played part is darker. */
export function Waveform({ waveform, played }: WaveformProps) {
  const bars = useMemo(() => barsOf(waveform, waveformLength), [waveform]);
  const path = useMemo(() => pathOf(bars), [bars]);
  const width = bars.length * stepUnits - (stepUnits - barUnits);
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${String(width)} ${String(heightUnits)}`}
      preserveAspectRatio="none"
      className="h-7 w-full text-heather"
    >
      <path d={path} fill="currentColor" opacity={0.4} />
      <path
        d={path}
        fill="currentColor"
        style={{ clipPath: `inset(0 ${String((1 - played) * 100)}% 0 0)` }}
      />
    </svg>
  );
}
