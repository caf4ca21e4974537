import { isDeepStrictEqual } from 'node:util';
import type { Clicks, EnginePage } from './engine.ts';
import { hasPressMissed, look, type Intent, type Seen, type Target } from './look.ts';
import { until } from './until.ts';

/** The actions of an owner on a page. Each waits until it can be done. */
export interface Hands {
  readonly page: EnginePage;
  /** @param clicks two: as by a quick thumb, of which the second click meets whatever is there by then. */
  click(target: Target, clicks?: Clicks): Promise<void>;
  /** It can be brought into sight, and nothing covers it. */
  reaches(target: Target): Promise<void>;
  /** Types into a box in place of what is there. */
  fill(target: Target, text: string): Promise<void>;
  /** @returns the first that is seen. */
  sees(target: Target): Promise<Seen>;
  seesNo(target: Target): Promise<void>;
  /** All that are there now. */
  all(target: Target): Promise<readonly Seen[]>;
  /** One for each pattern, whose whole text is like it. */
  seesTexts(target: Target, patterns: readonly string[]): Promise<void>;
}

const described = ({ css, name, text, within }: Target): string =>
  [css, name, text, within === undefined ? undefined : `in ${described(within)}`]
    .filter((part) => part !== undefined)
    .join(' ');

const isLike = (texts: readonly string[], patterns: readonly string[]): boolean =>
  texts.length === patterns.length &&
  patterns.every((pattern, index) => new RegExp(`^(?:${pattern})$`).test(texts[index] ?? ''));

const looksAtRest = 2;
const doubleTapMs = 600;
const doubleTapPx = 24;

export function handsOn(page: EnginePage): Hands {
  const lookAt = (target: Target, intent: Intent = 'see') => page.evaluate(look, target, intent);

  const pointOf = (target: Target) => {
    let last: Seen['point'] = null;
    let rests = 0;
    return until(`a press on ${described(target)}`, async () => {
      const [seen] = await lookAt(target, 'aim');
      const point = seen?.point ?? null;
      // An element that still moves is not pressed yet.
      rests = point !== null && isDeepStrictEqual(point, last) ? rests + 1 : 0;
      last = point;
      return rests >= looksAtRest ? point : null;
    });
  };

  let pressed = { x: 0, y: 0, atMs: -Infinity };
  const press = async (target: Target, clicks: Clicks = 1): Promise<void> => {
    const { x, y } = await pointOf(target);
    // Two quick presses at one place are a double tap to a browser, and the second does not count on another page.
    const isNear = Math.hypot(x - pressed.x, y - pressed.y) < doubleTapPx;
    await until('the end of a double tap', () =>
      Promise.resolve(!isNear || performance.now() - pressed.atMs > doubleTapMs ? true : null),
    );
    // It may have gone since it was aimed at, and something else stands there.
    if ((await lookAt(target, clicks === 2 ? 'press-twice' : 'press')).length === 0) {
      await press(target, clicks);
      return;
    }
    await page.clickAt(x, y, clicks);
    pressed = { x, y, atMs: performance.now() };
    // It has moved after all.
    if (await page.evaluate(hasPressMissed)) await press(target, clicks);
  };

  const hands: Hands = {
    page,
    click: press,
    reaches: async (target) => {
      await pointOf(target);
    },
    fill: async (target, text) => {
      await hands.click(target);
      await page.evaluate(() => {
        const focused = document.activeElement;
        if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement) {
          focused.select();
        }
      });
      await page.type(text);
    },
    sees: (target) => until(described(target), async () => (await lookAt(target))[0] ?? null),
    seesNo: async (target) => {
      let seen: readonly Seen[] = [];
      await until(
        `no ${described(target)}`,
        async () => {
          seen = await lookAt(target);
          return seen.length === 0 ? true : null;
        },
        () => seen,
      );
    },
    all: (target) => lookAt(target),
    seesTexts: async (target, texts) => {
      let seen: readonly string[] = [];
      await until(
        `${described(target)} to be ${JSON.stringify(texts)}`,
        async () => {
          seen = (await lookAt(target)).map(({ text }) => text);
          return isLike(seen, texts) ? true : null;
        },
        () => seen,
      );
    },
  };
  return hands;
}
