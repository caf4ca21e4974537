import { dayText } from '../../../lib/dates/entry-time-text.ts';
import { useTimeText } from '../../../lib/dates/now.ts';

export function DayHeading({ ms }: { readonly ms: number }) {
  const words = useTimeText((nowMs) => dayText(ms, nowMs));
  return <h2 className="pt-5 pb-2 text-lg text-ink-soft">{words}</h2>;
}
