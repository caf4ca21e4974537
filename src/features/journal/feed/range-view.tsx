import { memo, useEffect, useState, useSyncExternalStore } from 'react';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { useInView } from '../../../lib/dom/use-in-view.ts';
import { DayHeading } from './day-heading.tsx';
import { EntryBubble } from './entry-bubble.tsx';
import type { JournalFeed } from './journal-feed.ts';

/** A few screens: fast scrolling must not outrun the queries, and ranges far off screen must be released. */
const keptAroundPx = 4_000;

/** The height of a row with one line. */
const lowestRowPx = 86;

/** Returns the number of rows that fill the window. More in one frame would delay it on a slow phone. */
function rowsOfWindow(): number {
  // A window that is not laid out yet may have no height.
  return Math.max(1, Math.ceil(window.innerHeight / lowestRowPx));
}

export interface RangeViewProps {
  readonly feed: JournalFeed;
  readonly rangeId: number;
  /** The creation time of the next older entry; null if it is unknown or there is none. */
  readonly olderMs: number | null;
  readonly scroller: Element | null;
  /** Whether all rows render at once, because other content would move if they rendered one after another. */
  readonly isWhole: boolean;
}

/** One range of the journal, which it follows by itself: an entry that arrives renders no other range. */
export const RangeView = memo((props: RangeViewProps) => {
  const { feed, rangeId, olderMs, scroller, isWhole } = props;
  const range = useSyncExternalStore(feed.subscribe, () => feed.rangeOf(rangeId));
  const { rows = null, heightPx = null } = range ?? {};
  const ref = useInView<HTMLDivElement>({
    root: scroller,
    marginPx: keptAroundPx,
    // A range without rows cannot be released, and fast scrolling may leave it before they are read.
    content: rows !== null,
    onChange: (isNear, measuredPx) => {
      if (isNear) feed.revive(rangeId);
      else feed.release(rangeId, measuredPx);
    },
  });
  const spacerStyle = rows === null && heightPx !== null ? { height: heightPx } : undefined;
  return (
    <div ref={ref} role="none" data-range={rangeId} style={spacerStyle}>
      {rows !== null && (
        <Rows rows={rows} olderMs={olderMs} heightPx={heightPx} isWhole={isWhole} />
      )}
    </div>
  );
});
RangeView.displayName = 'RangeView';

interface RowsProps extends Pick<RangeViewProps, 'olderMs' | 'isWhole'> {
  readonly rows: readonly Entry[];
  /** Their height before they were released; null if unknown. */
  readonly heightPx: number | null;
}

/** Renders the newest rows first, some in each frame, and reserves the height of the others above them. */
function Rows({ rows, olderMs, heightPx, isWhole }: RowsProps) {
  const { length } = rows;
  const [rowsPerFrame] = useState(rowsOfWindow);
  const [count, setCount] = useState(isWhole || length <= rowsPerFrame ? Infinity : rowsPerFrame);
  useEffect(() => {
    if (count === Infinity) return undefined;
    const next = count + rowsPerFrame;
    const frame = requestAnimationFrame(() => setCount(next < length ? next : Infinity));
    return () => cancelAnimationFrame(frame);
  }, [count, length, rowsPerFrame]);
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

/** Returns the row at a place on the screen: rows come newest first, and are shown oldest first. */
function rowAt(rows: readonly Entry[], index: number): Entry | undefined {
  return rows[rows.length - 1 - index];
}

interface RowProps {
  readonly rows: readonly Entry[];
  readonly index: number;
  readonly olderMs: number | null;
}

function Row({ rows, index, olderMs }: RowProps) {
  const entry = rowAt(rows, index);
  if (entry === undefined) return null;
  const { createdDate = 0 } = entry.fields;
  const beforeMs = index === 0 ? olderMs : (rowAt(rows, index - 1)?.fields.createdDate ?? null);
  return (
    <div role="listitem" data-ms={createdDate === 0 ? undefined : createdDate}>
      {createdDate !== 0 && <DayHeading ms={createdDate} beforeMs={beforeMs} />}
      <EntryBubble entry={entry} />
    </div>
  );
}
