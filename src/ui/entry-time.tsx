import { entryTimeText } from '../lib/dates/entry-time-text.ts';
import { useTimeText } from '../lib/dates/now.ts';

/** The time of an entry. @param ms undefined or 0 if an earlier client has stored none. */
export function EntryTime({ ms = 0 }: { readonly ms: number | undefined }) {
  const words = useTimeText((nowMs) => entryTimeText(ms, nowMs));
  if (ms === 0) return <span>{words}</span>;
  return <time dateTime={new Date(ms).toISOString()}>{words}</time>;
}
