import { memo, useEffect, useState } from 'react';
import type { EntryRow } from '../../../../schemas/documents/document.ts';
import { localDate } from '../../../lib/dates/calendar-date.ts';
import { useInView } from '../../../lib/dom/use-in-view.ts';
import { DayHeading } from './day-heading.tsx';
import { EntryBubble } from './entry-bubble.tsx';
import type { JournalRange } from './feed-ranges.ts';
import type { JournalFeed } from './journal-feed.ts';

/** Some screens: scrolling fast must not outrun the queries, nor keep everything alive that was once seen. */
const keptAroundPx = 4_000;

/** More rows at once would make a frame late on a slow phone. They fill a screen. */
const rowsPerFrame = 17;

/** Of a row with one line. */
const lowestRowPx = 86;

export interface RangeViewProps {
  readonly feed: JournalFeed;
  readonly range: JournalRange;
  /** When the next older entry was written; null if it is not known or there is none. */
  readonly olderMs: number | null;
  readonly scroller: Element | null;
  /** All rows at once, where others would move if they came one after the other. */
  readonly isWhole: boolean;
}

/** The millisecond to head a day with, if this entry is the first of its day. */
function dayStart(entry: EntryRow, olderMs: number | null): number | null {
  const { createdDate } = entry;
  if (createdDate === undefined) return null;
  const isNewDay = olderMs === null || localDate(olderMs) !== localDate(createdDate);
  return isNewDay ? createdDate : null;
}

export const RangeView = memo(({ feed, range, olderMs, scroller, isWhole }: RangeViewProps) => {
  const { id, rows, heightPx } = range;
  const ref = useInView<HTMLDivElement>({
    root: scroller,
    marginPx: keptAroundPx,
    onChange: (isNear, measuredPx) => {
      if (isNear) feed.revive(id);
      else feed.release(id, measuredPx);
    },
  });
  const spacerStyle = rows === null && heightPx !== null ? { height: heightPx } : undefined;
  return (
    <div ref={ref} role="none" data-range={id} style={spacerStyle}>
      {rows !== null && (
        <Rows rows={rows} olderMs={olderMs} heightPx={heightPx} isWhole={isWhole} />
      )}
    </div>
  );
});
RangeView.displayName = 'RangeView';

interface RowsProps extends Pick<RangeViewProps, 'olderMs' | 'isWhole'> {
  readonly rows: readonly EntryRow[];
  /** What they measured before, if they did. */
  readonly heightPx: number | null;
}

/** The newest rows first, some in each frame; the room of those to come is kept above them. */
function Rows({ rows, olderMs, heightPx, isWhole }: RowsProps) {
  const { length } = rows;
  const [count, setCount] = useState(isWhole || length <= rowsPerFrame ? Infinity : rowsPerFrame);
  useEffect(() => {
    if (count === Infinity) return undefined;
    const next = count + rowsPerFrame;
    const frame = requestAnimationFrame(() => setCount(next < length ? next : Infinity));
    return () => cancelAnimationFrame(frame);
  }, [count, length]);
  const missing = Math.max(0, length - count);
  const keptPx = missing === 0 ? undefined : (heightPx ?? length * lowestRowPx);
  return (
    <div role="none" className="flex flex-col justify-end" style={{ minHeight: keptPx }}>
      {rows.map(
        (_, index) =>
          index >= missing && (
            <Row key={rowAt(rows, index)?.id} rows={rows} index={index} olderMs={olderMs} />
          ),
      )}
    </div>
  );
}

/** Rows come newest first, and are shown oldest first. */
function rowAt(rows: readonly EntryRow[], index: number): EntryRow | undefined {
  return rows[rows.length - 1 - index];
}

interface RowProps {
  readonly rows: readonly EntryRow[];
  readonly index: number;
  readonly olderMs: number | null;
}

function Row({ rows, index, olderMs }: RowProps) {
  const entry = rowAt(rows, index);
  if (entry === undefined) return null;
  const before = index === 0 ? olderMs : (rowAt(rows, index - 1)?.createdDate ?? null);
  const dayMs = dayStart(entry, before);
  return (
    <div role="listitem" data-ms={entry.createdDate}>
      {dayMs !== null && <DayHeading ms={dayMs} />}
      <EntryBubble entry={entry} />
    </div>
  );
}
