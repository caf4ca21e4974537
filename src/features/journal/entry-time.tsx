import { entryTimeText } from '../../lib/entry-time-text.ts';
import { useNow } from '../../lib/now.ts';

/** @param ms undefined: an earlier client has stored none. */
export function EntryTime({ ms }: { readonly ms: number | undefined }) {
  const nowMs = useNow();
  if (ms === undefined) return <span>No date</span>;
  return <time dateTime={new Date(ms).toISOString()}>{entryTimeText(ms, nowMs)}</time>;
}
