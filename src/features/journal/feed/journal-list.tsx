import { useSetAtom } from 'jotai';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isHeadingFoldedAtom } from '../../../lib/react/header-state.ts';
import { useInView } from '../../../lib/dom/use-in-view.ts';
import { DayHeading } from './day-heading.tsx';
import { OutgoingBubble } from './entry-bubble.tsx';
import { awaitsNewer, reachesEnd, reachesNewest, type FeedRanges } from './feed-ranges.ts';
import type { JournalPlace } from './journal-places.ts';
import { NewestButton } from './newest-button.tsx';
import type { OutgoingNote } from '../composer/outgoing-notes.ts';
import { RangeView } from './range-view.tsx';
import { StickyDay } from './sticky-day.tsx';

/** The distance from the end at which more entries are requested. */
const loadAheadPx = 1_200;

const foldAbovePx = 160;
const unfoldBelowPx = 40;

/** Longer than the heading takes to fold. */
const settlingMs = 500;

/** The distance from the newest entry at which the button to return to it appears. */
const farUpPx = 1_500;

export interface JournalListProps {
  readonly petId: string;
  readonly place: JournalPlace;
  readonly state: FeedRanges;
  readonly outgoing: readonly OutgoingNote[];
  /** The scrolling element, once it is rendered. */
  readonly scroller: HTMLDivElement | null;
  readonly onScroller: (element: HTMLDivElement | null) => void;
  readonly onNewest: () => void;
}

function elementOf(scroller: HTMLElement, rangeId: number): HTMLElement | null {
  return scroller.querySelector(`[data-range="${String(rangeId)}"]`);
}

/** Scrolls the entry that a journal was opened at to the middle, and focuses it. */
function showFirst(element: HTMLElement | null): void {
  const entry = element?.querySelector<HTMLElement>('[role="listitem"]');
  if (entry === null || entry === undefined) return;
  entry.scrollIntoView({ block: 'center' });
  entry.classList.add('entry-found');
  // The text may have links of its own, and a bubble whose code is still loading has none.
  const link = entry.querySelector<HTMLElement>('a[href^="/"]');
  if (link === null) entry.tabIndex = -1;
  (link ?? entry).focus({ preventScroll: true });
}

/**
 * Keeps the scroll position when ranges arrive: at the entry that the journal was opened at, or, when newer entries are
 * added below, at the entries being read.
 */
function useKeptPosition({ place, state, scroller }: JournalListProps): void {
  const [newest] = state.ranges;
  const isShown = newest !== undefined && newest.rows !== null;
  const seen = useRef(newest);
  useLayoutEffect(() => {
    if (scroller === null || newest === undefined || !isShown) return;
    const element = elementOf(scroller, newest.id);
    const isUnder = newest.until !== null && newest.until === seen.current?.after;
    if (isUnder) scroller.scrollTop -= element?.offsetHeight ?? 0;
    else if (newest.until !== null && newest.until === place.feed.at && place.arrive()) {
      showFirst(element);
    }
    seen.current = newest;
    // Only the id and the bound of the newest range tell that another range has replaced it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [scroller, place, isShown, newest?.id, newest?.after]);
}

/**
 * Returns whether the browser's scroll anchoring may keep the position. It would take the folding of the heading, while a
 * position is restored, for a change of the content. What {@link useKeptPosition} compensates for, it would do twice.
 */
function useAnchoring({ place, state }: JournalListProps): boolean {
  const [newest] = state.ranges;
  const [isOn, setIsOn] = useState(reachesNewest(state) && place.scrollTop() === 0);
  const isSettled = reachesNewest(state) && (newest?.rows !== null || newest.heightPx !== null);
  useEffect(() => {
    if (!isSettled) return undefined;
    const timer = setTimeout(() => setIsOn(true), settlingMs);
    return () => clearTimeout(timer);
  }, [isSettled]);
  return isOn;
}

/**
 * The entries, oldest at the top. The scroller runs in reverse: its origin is its lower end, so that it opens at the
 * newest entry, stays there when new entries arrive, and does not move when older ones are added on top.
 */
export const JournalList = memo((props: JournalListProps) => {
  const { place, state, outgoing, scroller, onScroller, onNewest } = props;
  const { ranges, nextId } = state;
  const { feed } = place;
  // A restored position is measured from the newest entry, so all rows from there on must be rendered.
  const [restoredIds] = useState(place.scrollTop() === 0 ? 0 : nextId);
  const oldest = ranges.at(-1);
  const fold = useFolding();
  const isAtNewest = reachesNewest(state);
  const isAnchored = useAnchoring(props);
  const [isFarUp, setIsFarUp] = useState(place.scrollTop() < -farUpPx);
  useKeptPosition(props);
  const attach = useCallback(
    (element: HTMLDivElement | null): void => {
      element?.scrollTo({ top: place.scrollTop() });
      onScroller(element);
    },
    [place, onScroller],
  );
  return (
    // With large text on a low screen, the page scrolls instead.
    <div className="relative flex min-h-[100px] flex-1 flex-col writing:min-h-0">
      <div
        ref={attach}
        // Without this id the router takes the scroller of another history entry for this one, and restores its
        // position.
        data-scroll-restoration-id={place.key}
        onScroll={({ currentTarget: { scrollTop } }) => {
          place.moveTo(scrollTop);
          fold(Math.abs(scrollTop));
          setIsFarUp(scrollTop < -farUpPx);
        }}
        style={isAnchored ? undefined : { overflowAnchor: 'none' }}
        // A note that gets the focus by Tab stops below the day, and with its ring above the composer.
        className="isolate flex min-h-0 flex-1 flex-col-reverse scroll-pt-12 scroll-pb-2 overflow-y-auto overscroll-contain short:min-h-40"
      >
        <div className="page-column">
          {!reachesEnd(state) && (
            <Sentinel key={oldest?.id} scroller={scroller} onNear={feed.loadOlder} />
          )}
          <div role="list" aria-label="Journal">
            {ranges.toReversed().map((range, index) => (
              <RangeView
                key={range.id}
                feed={feed}
                rangeId={range.id}
                olderMs={ranges[ranges.length - index]?.newestMs ?? null}
                scroller={scroller}
                // Ranges that are added on top move nothing, and revived ranges keep their height.
                isWhole={range.id < restoredIds || (range !== oldest && range.heightPx === null)}
              />
            ))}
            {isAtNewest && <Outgoing notes={outgoing} newestMs={ranges[0]?.newestMs ?? null} />}
          </div>
          {awaitsNewer(state) && (
            <Sentinel
              key={ranges[0]?.id}
              scroller={scroller}
              onNear={() => void feed.loadNewer().catch(() => undefined)}
            />
          )}
        </div>
      </div>
      <StickyDay petId={props.petId} scroller={scroller} />
      {(isFarUp || !isAtNewest) && <NewestButton onClick={onNewest} />}
    </div>
  );
});
JournalList.displayName = 'JournalList';

/**
 * Folds the heading of the page while the owner reads further up. The two limits differ so that it does not flicker.
 */
function useFolding(): (fromBottomPx: number) => void {
  const setFolded = useSetAtom(isHeadingFoldedAtom);
  useEffect(() => () => setFolded(false), [setFolded]);
  return (fromBottomPx) =>
    setFolded((isFolded) => fromBottomPx > (isFolded ? unfoldBelowPx : foldAbovePx));
}

interface SentinelProps {
  readonly scroller: Element | null;
  readonly onNear: () => void;
}

/** Requests more entries before it is scrolled into view. */
function Sentinel({ scroller, onNear }: SentinelProps) {
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
  return notes.map((note, index) => (
    <div key={note.id} role="listitem">
      <DayHeading ms={note.sentMs} beforeMs={notes[index - 1]?.sentMs ?? newestMs} />
      <OutgoingBubble note={note} />
    </div>
  ));
}
