import { useEffect, useEffectEvent, useState } from 'react';
import { localDate } from '../../lib/calendar-date.ts';
import { dayText } from '../../lib/entry-time-text.ts';
import { useWords } from '../../lib/now.ts';

/** Below the upper edge, where the heading of a day stands that begins there. */
const probePx = 12;

/**
 * When the entry at the upper edge of what scrolls was written, in epoch milliseconds.
 * @returns null if the heading of its day is seen itself, if no entry is there, or if there is nothing to scroll.
 */
export function topmostMs(scroller: HTMLElement): number | null {
  if (scroller.scrollHeight <= scroller.clientHeight) return null;
  const { left, top, width } = scroller.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + probePx);
  const row = found?.closest<HTMLElement>('[data-ms]');
  if (row === null || row === undefined) return null;
  const heading = row.querySelector('h2');
  const isSeen = heading !== null && heading.getBoundingClientRect().top >= top;
  return isSeen ? null : Number(row.dataset['ms']);
}

/**
 * The heading of the day that is read, at the upper edge while its own is scrolled out. It lies over the journal: the rows of
 * one day may be in several ranges, none of which could keep a heading for the next.
 */
export function StickyDay({ scroller }: { readonly scroller: HTMLElement | null }) {
  const [ms, setMs] = useState<number | null>(null);

  const look = useEffectEvent((): void => {
    const found = scroller === null ? null : topmostMs(scroller);
    const isSame = found !== null && ms !== null && localDate(found) === localDate(ms);
    if (!isSame) setMs(found);
  });

  // After each rendering of the list, which may have brought rows.
  useEffect(() => {
    const frame = requestAnimationFrame(() => look());
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
    return () => {
      cancelAnimationFrame(frame);
      scroller.removeEventListener('scroll', lookSoon);
    };
  }, [scroller]);

  return ms === null ? null : <Day ms={ms} />;
}

function Day({ ms }: { readonly ms: number }) {
  const words = useWords((nowMs) => dayText(ms, nowMs));
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 top-0 bg-linear-to-b from-paper from-60% to-transparent"
    >
      <p className="mx-auto w-full max-w-journal px-4 pt-1 pb-4 font-serif text-lg font-semibold text-ink-soft">
        {words}
      </p>
    </div>
  );
}
