import { afterEach, expect, it, vi } from 'vitest';
import { ignoreLateTaps } from './double-taps.ts';

let stop: () => void = () => undefined;

afterEach(() => {
  stop();
  // The next test file starts with an empty page.
  document.body.replaceChildren();
});

/** Creates a page with one button under the finger, and a function that taps it. */
function setUp() {
  let href = '/first';
  const onClick = vi.fn<() => void>();
  const button = document.createElement('button');
  button.addEventListener('click', onClick);
  document.body.replaceChildren(button);
  stop = ignoreLateTaps(document, () => href);
  const tap = (detail: number): boolean =>
    button.dispatchEvent(new MouseEvent('click', { detail, bubbles: true, cancelable: true }));
  const goTo = (next: string): void => {
    href = next;
  };
  return { onClick, tap, goTo };
}

it('keeps the second tap of a double tap from the page that the first has led to', () => {
  const { onClick, tap, goTo } = setUp();
  tap(1);
  goTo('/second');
  expect([tap(2), tap(3)]).toEqual([false, false]);
  expect(onClick).toHaveBeenCalledTimes(1);
});

it('lets every other tap through, and each press of a key', () => {
  const { onClick, tap, goTo } = setUp();
  tap(1);
  tap(2);
  goTo('/second');
  tap(1);
  tap(2);
  goTo('/third');
  tap(0);
  expect(onClick).toHaveBeenCalledTimes(5);
});
