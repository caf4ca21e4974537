import { afterEach, describe, expect, it, vi } from 'vitest';
import { ignoreRepeatedPresses, isRepeatedTap } from './repeated-presses.ts';

let stop: () => void = () => undefined;

afterEach(() => {
  stop();
  // The next test file starts with an empty page.
  document.body.replaceChildren();
});

type Pressed = (event: MouseEvent) => void;

/** Creates a page with one control under the finger, and functions that press it. */
function setUp(markup = '<button></button>') {
  let href = '/first';
  const onClick = vi.fn<Pressed>();
  document.body.innerHTML = markup;
  document.body.addEventListener('click', onClick);
  const end = ignoreRepeatedPresses(document, () => href);
  stop = () => {
    end();
    document.body.removeEventListener('click', onClick);
  };
  const control = (): Element => document.body.firstElementChild ?? document.body;
  const click = (detail: number, { atMs = 0, x = 100, target = control() } = {}): boolean => {
    const place = { detail, clientX: x, clientY: 100 };
    const event = new MouseEvent('click', { ...place, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: atMs });
    return target.dispatchEvent(event);
  };
  const point = (pointerType: string): void => {
    const event = new Event('pointerdown', { bubbles: true });
    control().dispatchEvent(Object.assign(event, { pointerType }));
  };
  const goTo = (next: string): void => {
    href = next;
  };
  /** Puts another control in the place of the one that was pressed. */
  const replace = (next = markup): void => {
    document.body.innerHTML = next;
  };
  return { onClick, control, click, point, goTo, replace };
}

describe('the second tap of a double tap', () => {
  it('does nothing on the page that the first has led to', () => {
    const { onClick, click, goTo } = setUp();
    click(1);
    goTo('/second');
    expect([click(2), click(3)]).toEqual([false, false]);
    expect(onClick).toHaveBeenCalledTimes(1);
  });

  it('does nothing on a control that has come to the place of the first', () => {
    const { onClick, click, replace } = setUp();
    click(1);
    replace();
    expect([click(2), click(3)]).toEqual([false, false]);
    replace('<p></p>');
    click(1);
    replace('<button></button>');
    expect(click(2)).toBe(false);
    expect(onClick).toHaveBeenCalledTimes(2);
  });

  it('works on the same control, and is told as one', () => {
    const { onClick, click } = setUp('<button><svg></svg></button>');
    click(1);
    click(2);
    click(2, { target: document.querySelector('svg') ?? document.body });
    const told = onClick.mock.calls.map(([event]) =>
      isRepeatedTap({ detail: event.detail, nativeEvent: event }),
    );
    expect(told).toEqual([false, true, true]);
  });

  it('works on the label of the control, which some browsers report as a click on both', () => {
    const { onClick, click, control } = setUp('<label><input type="text"><span></span></label>');
    const input = control().querySelector('input') ?? control();
    const span = control().querySelector('span') ?? control();
    const forward = (event: MouseEvent): void => {
      if (event.target === span) click(event.detail, { target: input });
    };
    onClick.mockImplementation(forward);
    expect([click(1, { target: span }), click(2, { target: span })]).toEqual([true, true]);
  });
});

describe('taps of a finger that are all told to be the first', () => {
  const touch = () => {
    const page = setUp();
    page.point('touch');
    page.click(1, { atMs: 1000 });
    page.goTo('/second');
    return page;
  };

  it('are a double tap if they are quick and near', () => {
    const { onClick, click } = touch();
    expect([click(1, { atMs: 1300, x: 110 }), click(1, { atMs: 1600 })]).toEqual([false, false]);
    expect(onClick).toHaveBeenCalledTimes(1);
  });

  it('are two taps if they are slower or further apart', () => {
    expect(touch().click(1, { atMs: 1350 })).toBe(true);
    expect(touch().click(1, { atMs: 1100, x: 125 })).toBe(true);
  });

  it('are told as a double tap on the same control', () => {
    const { onClick, click, point } = setUp();
    point('touch');
    click(1, { atMs: 1000 });
    click(1, { atMs: 1200 });
    const told = onClick.mock.calls.map(([event]) =>
      isRepeatedTap({ detail: 1, nativeEvent: event }),
    );
    expect(told).toEqual([false, true]);
  });

  it('differ from clicks of a mouse, which are counted, and from presses of keys', () => {
    const { click, point, goTo } = setUp();
    point('mouse');
    click(1, { atMs: 1000 });
    goTo('/second');
    expect([click(1, { atMs: 1001 }), click(0, { atMs: 1002 })]).toEqual([true, true]);
    point('touch');
    click(1, { atMs: 2000 });
    goTo('/third');
    expect(click(0, { atMs: 2001 })).toBe(true);
  });
});

describe('an Enter key that is held', () => {
  const press = (target: Element, repeat: boolean, key = 'Enter') =>
    target.dispatchEvent(
      new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true }),
    );

  it('presses once', () => {
    const { control } = setUp();
    expect([press(control(), false), press(control(), true)]).toEqual([true, false]);
  });

  it('writes lines in a text, and other keys are repeated', () => {
    const { control } = setUp('<textarea></textarea>');
    expect(press(control(), true)).toBe(true);
    expect(press(document.body, true, 'ArrowDown')).toBe(true);
  });
});
