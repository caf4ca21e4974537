import { useSetAtom } from 'jotai';
import { memo, useCallback, useEffect, useState } from 'react';
import { localDate } from '../../lib/calendar-date.ts';
import { isHeadingFoldedAtom } from '../../lib/header-state.ts';
import { useInView } from '../../lib/use-in-view.ts';
import { DayHeading } from './day-heading.tsx';
import { OutgoingBubble } from './entry-bubble.tsx';
import { reachesEnd, type FeedRanges } from './feed-ranges.ts';
import type { JournalPlace } from './journal-places.ts';
import type { OutgoingNote } from './note-writing.ts';
import { RangeView } from './range-view.tsx';

/** Older entries are asked for before they are scrolled to. */
const loadAheadPx = 1_200;

const foldAbovePx = 160;
const unfoldBelowPx = 40;

/** Longer than the heading takes to fold. */
const settlingMs = 500;

/** Chromium's scroll anchoring would take the folding of the heading for a change of what is read. */
function restoreScroll(element: HTMLElement, top: number): void {
  if (top === 0) return;
  element.style.overflowAnchor = 'none';
  element.scrollTo({ top });
  setTimeout(() => {
    element.style.overflowAnchor = '';
  }, settlingMs);
}

export interface JournalListProps {
  readonly place: JournalPlace;
  readonly state: FeedRanges;
  readonly outgoing: readonly OutgoingNote[];
  /** The element that scrolls, once it is there. */
  readonly scroller: HTMLDivElement | null;
  readonly onScroller: (element: HTMLDivElement | null) => void;
}

/**
 * Oldest at the top, newest at the bottom. The scroller runs in reverse: its origin is its lower end, so that it opens
 * at the newest entry, stays there when others come in, and does not move when older ones are put on top.
 */
export const JournalList = memo((props: JournalListProps) => {
  const { place, state, outgoing, scroller, onScroller } = props;
  const { ranges, nextId } = state;
  const { feed } = place;
  // Where one is put back to is measured from the newest entry, so all from there on has to be there.
  const [restoredIds] = useState(place.scrollTop() === 0 ? 0 : nextId);
  const oldest = ranges.at(-1);
  const fold = useFolding();
  const attach = useCallback(
    (element: HTMLDivElement | null): void => {
      if (element !== null) restoreScroll(element, place.scrollTop());
      onScroller(element);
    },
    [place, onScroller],
  );
  return (
    <div
      ref={attach}
      onScroll={({ currentTarget: { scrollTop } }) => {
        place.moveTo(scrollTop);
        fold(Math.abs(scrollTop));
      }}
      className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto overscroll-contain short:min-h-40"
    >
      <div className="mx-auto w-full max-w-journal px-4">
        {!reachesEnd(state) && (
          <OlderSentinel key={oldest?.id} scroller={scroller} onNear={feed.loadOlder} />
        )}
        <div role="list" aria-label="Journal">
          {ranges.toReversed().map((range, index) => (
            <RangeView
              key={range.id}
              feed={feed}
              range={range}
              olderMs={ranges[ranges.length - index]?.newestMs ?? null}
              scroller={scroller}
              // What comes on top moves nothing, and what is put back has room kept for it.
              isWhole={range.id < restoredIds || (range !== oldest && range.heightPx === null)}
            />
          ))}
          <Outgoing notes={outgoing} newestMs={ranges[0]?.newestMs ?? null} />
        </div>
      </div>
    </div>
  );
});
JournalList.displayName = 'JournalList';

/** Folds the heading of the page while one reads further up. The two limits lie apart so that it does not flicker. */
function useFolding(): (fromBottomPx: number) => void {
  const setFolded = useSetAtom(isHeadingFoldedAtom);
  useEffect(() => () => setFolded(false), [setFolded]);
  return (fromBottomPx) =>
    setFolded((isFolded) => fromBottomPx > (isFolded ? unfoldBelowPx : foldAbovePx));
}

interface OlderSentinelProps {
  readonly scroller: Element | null;
  readonly onNear: () => void;
}

function OlderSentinel({ scroller, onNear }: OlderSentinelProps) {
  const ref = useInView<HTMLDivElement>({
    root: scroller,
    marginPx: loadAheadPx,
    onChange: (isNear) => {
      if (isNear) onNear();
    },
  });
  return <div ref={ref} aria-hidden="true" className="h-px" />;
}

interface OutgoingProps {
  readonly notes: readonly OutgoingNote[];
  readonly newestMs: number | null;
}

function Outgoing({ notes, newestMs }: OutgoingProps) {
  return notes.map((note, index) => {
    const beforeMs = notes[index - 1]?.sentMs ?? newestMs;
    const isNewDay = beforeMs === null || localDate(beforeMs) !== localDate(note.sentMs);
    return (
      <div key={note.id} role="listitem">
        {isNewDay && <DayHeading ms={note.sentMs} />}
        <OutgoingBubble note={note} />
      </div>
    );
  });
}
