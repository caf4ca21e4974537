import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { dayText } from '../../../lib/dates/entry-time-text.ts';
import { StickyDay, topmostMs } from './sticky-day.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'elementsFromPoint');
  document.body.replaceChildren();
});

/** Creates a scroller at 100 px with one row, whose heading is at that height, if it has one. */
function scrollerWith({ headingTop = null as number | null, height = 1_000 }) {
  document.body.innerHTML = `<div id="scroller"><div data-ms="5000">${
    headingTop === null ? '' : '<h2>Today</h2>'
  }<p>text</p></div></div>`;
  const scroller = document.getElementById('scroller');
  if (scroller === null) throw new Error('no scroller');
  vi.spyOn(scroller, 'scrollHeight', 'get').mockReturnValue(height);
  vi.spyOn(scroller, 'clientHeight', 'get').mockReturnValue(500);
  scroller.getBoundingClientRect = () => new DOMRect(0, 100, 300, 500);
  const heading = scroller.querySelector('h2');
  if (heading !== null) {
    heading.getBoundingClientRect = () => new DOMRect(0, headingTop ?? 0, 300, 30);
  }
  document.elementsFromPoint = () => [...scroller.querySelectorAll('p')];
  return scroller;
}

it('finds the day of the entry at the upper edge', () => {
  expect(topmostMs(scrollerWith({}))).toBe(5_000);
  expect(topmostMs(scrollerWith({ headingTop: 60 }))).toBe(5_000);
});

it('leaves a heading alone of which a part is seen', () => {
  expect(topmostMs(scrollerWith({ headingTop: 100 }))).toBeNull();
  expect(topmostMs(scrollerWith({ headingTop: 71 }))).toBeNull();
  expect(topmostMs(scrollerWith({ headingTop: 70 }))).toBe(5_000);
});

it('makes room for the heading of the next day where that comes into its place', () => {
  const scroller = scrollerWith({});
  const next = document.createElement('div');
  next.dataset['ms'] = '6000';
  next.innerHTML = '<h2>Tomorrow</h2>';
  scroller.append(next);
  const [text, heading] = [scroller.querySelector('p'), next.querySelector('h2')];
  if (text === null || heading === null) throw new Error('no rows');
  vi.spyOn(window, 'getComputedStyle').mockReturnValue(
    Object.assign(scroller.style, { scrollPaddingTop: '48px' }),
  );
  /** Scrolls so that the next day begins at this height of the page. */
  const scrollTo = (top: number): void => {
    heading.getBoundingClientRect = () => new DOMRect(0, top, 300, 30);
    document.elementsFromPoint = (_x, y) => [y < top ? text : heading];
  };
  scrollTo(149);
  expect(topmostMs(scroller)).toBe(5_000);
  scrollTo(148);
  expect(topmostMs(scroller)).toBeNull();
  scrollTo(71);
  expect(topmostMs(scroller)).toBeNull();
  scrollTo(70);
  expect(topmostMs(scroller)).toBe(6_000);
});

it('returns null if nothing scrolls, or there is no entry', () => {
  expect(topmostMs(scrollerWith({ height: 500 }))).toBeNull();
  const scroller = scrollerWith({});
  document.elementsFromPoint = () => [scroller];
  expect(topmostMs(scroller)).toBeNull();
});

it('looks again when the journal becomes lower, as above a keyboard, or its rows move', async () => {
  const resized: (() => void)[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: () => void) {
        resized.push(onResize);
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  const scroller = scrollerWith({ headingTop: 60 });
  render(<StickyDay petId="pet" scroller={scroller} />);
  const day = new RegExp(dayText(5_000, Date.now()));
  expect(await screen.findByText(day)).toBeDefined();
  const heading = scroller.querySelector('h2');
  if (heading !== null) heading.getBoundingClientRect = () => new DOMRect(0, 120, 300, 30);
  for (const onResize of resized) onResize();
  await waitFor(() => expect(screen.queryByText(day)).toBeNull());
});

it('returns null if the day would take more than a third of the scroller', () => {
  const scroller = scrollerWith({});
  const padding = vi.spyOn(window, 'getComputedStyle');
  padding.mockReturnValue(Object.assign(scroller.style, { scrollPaddingTop: '160px' }));
  expect(topmostMs(scroller)).toBe(5_000);
  padding.mockReturnValue(Object.assign(scroller.style, { scrollPaddingTop: '170px' }));
  expect(topmostMs(scroller)).toBeNull();
});
