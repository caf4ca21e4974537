import { format } from 'node:util';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach } from 'vitest';
import { quickComputedStyle } from '../computed-style.ts';

/** Defines the browser APIs that jsdom lacks and the screens use, and resets page and storage before each test. */

class StillObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return [];
  }
}

function defineMissing(target: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members)) {
    if (Reflect.get(target, name) === undefined) {
      Object.defineProperty(target, name, { value, configurable: true, writable: true });
    }
  }
}

defineMissing(globalThis, {
  IntersectionObserver: StillObserver,
  ResizeObserver: StillObserver,
  matchMedia: (media: string) =>
    Object.assign(new EventTarget(), { media, matches: false, onchange: null }),
});

// jsdom's own `scrollTo` only reports that it is not implemented.
Object.assign(globalThis, { scrollTo: () => undefined, getComputedStyle: quickComputedStyle });

defineMissing(Element.prototype, {
  scrollIntoView: () => undefined,
  setPointerCapture: () => undefined,
  hasPointerCapture: () => false,
  scrollTo(this: Element, { top = 0 }: ScrollToOptions): void {
    this.scrollTop = top;
  },
});

const focusedBefore = new WeakMap<HTMLDialogElement, Element | null>();

function focusOn(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus();
}

defineMissing(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement): void {
    focusedBefore.set(this, document.activeElement);
    this.open = true;
    focusOn(this.querySelector('button, a[href], input, textarea'));
  },
  close(this: HTMLDialogElement): void {
    if (!this.open) return;
    this.open = false;
    focusOn(focusedBefore.get(this));
  },
});

// Lazily loaded parts can take long on a busy machine.
configure({ asyncUtilTimeout: 20_000 });

/** jsdom lacks the element, which all supported browsers have. */
const ofJsdom = /^The tag <search> is unrecognized/;

/** The texts that the current test has passed to `console.error`. React reports its warnings by it. */
const errors: string[] = [];

Object.assign(console, {
  error: (...parts: unknown[]): void => {
    const text = format(...parts);
    if (!ofJsdom.test(text)) errors.push(text);
  },
});

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  cleanup();
  const [text] = errors.splice(0);
  if (text !== undefined) throw new Error(`The console has an error: ${text}`);
});
