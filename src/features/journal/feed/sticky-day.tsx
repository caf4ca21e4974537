import Calendar from 'lucide-react/icons/calendar';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { localDate, type CalendarDate } from '../../../lib/dates/calendar-date.ts';
import { classNames } from '../../../lib/dom/class-names.ts';
import { dayText } from '../../../lib/dates/entry-time-text.ts';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import { useTimeText } from '../../../lib/dates/now.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

const monthSheet = lazyPart(
  async () => (await import('../calendar/month-sheet.lazy.tsx')).MonthSheet,
);

/**
 * The distance of the probed point from the upper edge, where the heading of a day stands if its first entry is on top.
 */
const probePx = 12;

/** Returns the row at a distance from the upper edge; null if there is none, or if there is nothing to scroll. */
function rowAt(scroller: HTMLElement, px: number): HTMLElement | null {
  if (scroller.scrollHeight <= scroller.clientHeight) return null;
  const { left, top, width } = scroller.getBoundingClientRect();
  const found = document.elementsFromPoint(left + width / 2, top + px);
  return found.reduce<HTMLElement | null>((row, each) => row ?? each.closest('[data-ms]'), null);
}

/** The height of the day. */
function dayPxOf(scroller: HTMLElement): number {
  return Number.parseFloat(getComputedStyle(scroller).scrollPaddingTop) || 0;
}

/**
 * Returns the creation time of the entry at the upper edge of the scroller, in epoch milliseconds; null if a part of the
 * heading of its day or of the next one is visible in its place, if there is no entry, nothing to scroll, or no room.
 */
export function topmostMs(scroller: HTMLElement): number | null {
  const dayPx = dayPxOf(scroller);
  // It would cover all of the visible journal, as with large text on a low screen.
  if (scroller.clientHeight < 3 * dayPx) return null;
  const row = rowAt(scroller, probePx);
  if (row === null) return null;
  const { top } = scroller.getBoundingClientRect();
  const isSeen = [row, rowAt(scroller, dayPx)].some((each) => {
    const heading = each?.querySelector('h2') ?? null;
    return heading !== null && heading.getBoundingClientRect().bottom > top;
  });
  return isSeen ? null : Number(row.dataset['ms']);
}

/** Returns the date of the entry at the upper edge, or else today's. */
function shownDate(scroller: HTMLElement | null): CalendarDate {
  const row = scroller === null ? null : rowAt(scroller, probePx);
  return localDate(Number(row?.dataset['ms'] ?? Date.now()));
}

export interface StickyDayProps {
  readonly petId: string;
  readonly scroller: HTMLElement | null;
}

/**
 * Shows the heading of the current day at the upper edge while its own is scrolled out, and a button to go to another
 * date. It overlays the journal: the rows of one day may be in several ranges, so no range could keep a sticky heading
 * for the next.
 */
export function StickyDay({ petId, scroller }: StickyDayProps) {
  const [ms, setMs] = useState<number | null>(null);
  const [opened, setOpened] = useState<CalendarDate | null>(null);

  const look = useEffectEvent((): void => {
    // The month view covers the rows, so none can be found.
    if (opened !== null) return;
    const found = scroller === null ? null : topmostMs(scroller);
    const isSame = found !== null && ms !== null && localDate(found) === localDate(ms);
    if (!isSame) setMs(found);
  });

  // This runs after each render of the list, which may have added rows: they are painted first.
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => look());
    });
    return () => cancelAnimationFrame(frame);
  });

  useEffect(() => {
    if (scroller === null) return undefined;
    let frame = 0;
    const lookSoon = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => look());
    };
    scroller.addEventListener('scroll', lookSoon, { passive: true });
    // A player that loads late moves the rows above it, and a keyboard shrinks the scroller.
    const sizes = new ResizeObserver(lookSoon);
    for (const element of [scroller, ...scroller.children]) sizes.observe(element);
    return () => {
      sizes.disconnect();
      cancelAnimationFrame(frame);
      scroller.removeEventListener('scroll', lookSoon);
    };
  }, [scroller]);

  const open = (): void => setOpened(shownDate(scroller));
  return (
    <>
      <div
        className={classNames(
          // The padding leaves room for the focus ring, which a box with a gutter cuts off.
          'over-scroller pointer-events-none absolute inset-x-0 -top-1.5 overflow-hidden py-1.5',
          ms !== null && 'bg-linear-to-b from-paper from-60% to-transparent',
        )}
      >
        <div className="page-column flex justify-end gap-2 *:pointer-events-auto">
          {ms !== null && <Day ms={ms} onOpen={open} />}
          <IconButton
            label="Go to a date"
            icon={Calendar}
            aria-haspopup="dialog"
            className="-mr-2 bg-paper"
            onPointerEnter={monthSheet.preload}
            onFocus={monthSheet.preload}
            onClick={open}
          />
        </div>
      </div>
      {opened !== null && (
        <Suspense>
          <monthSheet.Component petId={petId} shown={opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  );
}

interface DayProps {
  readonly ms: number;
  readonly onOpen: () => void;
}

/** A control for touch and mouse only: the button beside it does the same, and is always there. */
function Day({ ms, onOpen }: DayProps) {
  const words = useTimeText((nowMs) => dayText(ms, nowMs));
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`${words}. Go to a date`}
      className="mr-auto min-h-11 min-w-11 pt-1 pb-4 text-left font-serif text-lg leading-normal font-semibold text-ink-soft"
      onPointerEnter={monthSheet.preload}
      onClick={onOpen}
    >
      {words}
    </button>
  );
}
