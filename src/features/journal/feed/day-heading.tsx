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
  return words === '' ? null : <h2 className="pt-5 pb-2 text-lg text-ink-soft">{words}</h2>;
}
