import { dayText } from '../../../lib/dates/entry-time-text.ts';
import { useTimeText } from '../../../lib/dates/now.ts';

export interface DayHeadingProps {
  /** The time of the entry below, in epoch milliseconds. */
  readonly ms: number;
  /** The time of the entry above; null if there is none. */
  readonly beforeMs: number | null;
}

/**
 * The day of the entry below, unless the entry above has the same. The zone of the device, and so the days, may change
 * while the journal is open.
 */
export function DayHeading({ ms, beforeMs }: DayHeadingProps) {
  const words = useTimeText((nowMs) => {
    const day = dayText(ms, nowMs);
    return beforeMs !== null && dayText(beforeMs, nowMs) === day ? '' : day;
  });
  // Without the space below it, its box is out of sight as soon as its text is, and the sticky day replaces it then.
  return words === '' ? null : <h2 className="mb-2 pt-5 text-lg text-ink-soft">{words}</h2>;
}
