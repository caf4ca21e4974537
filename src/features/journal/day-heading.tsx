import { dayText } from '../../lib/entry-time-text.ts';
import { useNow } from '../../lib/now.ts';

export function DayHeading({ ms }: { readonly ms: number }) {
  const nowMs = useNow();
  return <h2 className="pt-5 pb-2 text-lg text-ink-soft">{dayText(ms, nowMs)}</h2>;
}
