import { entryTimeText, exactTimeText } from '../../lib/entry-time-text.ts';
import { useWords } from '../../lib/now.ts';

export interface EntryTimeProps {
  /** undefined: an earlier client has stored none. */
  readonly ms: number | undefined;
  /** Says the day and the minute, whatever the distance. */
  readonly isExact?: boolean;
}

export function EntryTime({ ms, isExact = false }: EntryTimeProps) {
  const words = useWords((nowMs) => (ms === undefined ? 'No date' : entryTimeText(ms, nowMs)));
  if (ms === undefined) return <span>{words}</span>;
  const exact = exactTimeText(ms);
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact}>
      {isExact ? exact : words}
    </time>
  );
}
