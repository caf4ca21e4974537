import { entryTimeText } from '../../../lib/dates/entry-time-text.ts';
import { useTimeText } from '../../../lib/dates/now.ts';

/** The time of an entry. @param ms undefined if an earlier client has stored none. */
export function EntryTime({ ms }: { readonly ms: number | undefined }) {
  const words = useTimeText((nowMs) => (ms === undefined ? 'No date' : entryTimeText(ms, nowMs)));
  if (ms === undefined) return <span>{words}</span>;
  return <time dateTime={new Date(ms).toISOString()}>{words}</time>;
}
