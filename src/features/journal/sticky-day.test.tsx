import { afterEach, expect, it, vi } from 'vitest';
import { topmostMs } from './sticky-day.tsx';

afterEach(() => {
  Reflect.deleteProperty(document, 'elementsFromPoint');
  document.body.replaceChildren();
});

/** A scroller at 100 px with one row, whose heading stands at that height, if it has one. */
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

it('leaves a heading alone that is seen itself', () => {
  expect(topmostMs(scrollerWith({ headingTop: 100 }))).toBeNull();
});

it('finds none where nothing scrolls, or no entry is', () => {
  expect(topmostMs(scrollerWith({ height: 500 }))).toBeNull();
  const scroller = scrollerWith({});
  document.elementsFromPoint = () => [scroller];
  expect(topmostMs(scroller)).toBeNull();
});
