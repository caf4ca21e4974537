import { afterEach, expect, it, vi } from 'vitest';
import { ignoreLateTaps } from './double-taps.ts';

let stop: () => void = () => undefined;

afterEach(() => stop());

/** A page with one button under the finger, and the way to tap on it. */
function setUp() {
  let href = '/first';
  const onClick = vi.fn<() => void>();
  const button = document.createElement('button');
  button.addEventListener('click', onClick);
  document.body.replaceChildren(button);
  stop = ignoreLateTaps(document, () => href);
  const tap = (atMs: number, part: MouseEventInit = {}): void => {
    const event = new MouseEvent('click', { detail: 1, bubbles: true, cancelable: true, ...part });
    Object.defineProperty(event, 'timeStamp', { value: atMs });
    button.dispatchEvent(event);
  };
  const goTo = (next: string): void => {
    href = next;
  };
  return { onClick, tap, goTo };
}

it('keeps the second tap of a double tap from the page that the first has led to', () => {
  const { onClick, tap, goTo } = setUp();
  tap(0);
  goTo('/second');
  tap(200, { detail: 2 });
  tap(300, { clientX: 10 });
  expect(onClick).toHaveBeenCalledTimes(1);
});

it('lets every other tap through', () => {
  const { onClick, tap, goTo } = setUp();
  tap(0);
  tap(100);
  goTo('/second');
  tap(600);
  goTo('/third');
  tap(700, { clientX: 100 });
  goTo('/fourth');
  tap(750, { clientX: 100, detail: 0 });
  expect(onClick).toHaveBeenCalledTimes(5);
});
