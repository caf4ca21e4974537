import { onTestFinished, vi } from 'vitest';

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly edge: number;
}

export interface BrowserPictures {
  /** The squares that were put on a canvas, in order. */
  readonly squares: readonly Drawn[];
  /** Of addresses given out, and given back. */
  readonly urls: { given: number; returned: number };
}

type ToBlob = [done: (blob: Blob) => void, type: string, quality: number];

/**
 * What jsdom has not got: images and canvases. A file whose content is `WIDTHxHEIGHT` is a picture of that size, any other is
 * none.
 */
export function stubBrowserPictures(): BrowserPictures {
  const squares: Drawn[] = [];
  const urls = { given: 0, returned: 0 };
  const contents = new Map<string, Blob>();

  class FakeImage extends EventTarget {
    naturalWidth = 0;
    naturalHeight = 0;

    set src(url: string) {
      void this.load(url);
    }

    private async load(url: string): Promise<void> {
      const size = /^(\d+)x(\d+)$/.exec((await contents.get(url)?.text()) ?? '');
      this.naturalWidth = Number(size?.[1] ?? 0);
      this.naturalHeight = Number(size?.[2] ?? 0);
      this.dispatchEvent(new Event(size === null ? 'error' : 'load'));
    }
  }

  const context = {
    fillRect: () => undefined,
    /** Of a square: source, its left, top, width and height, and the same on the canvas. */
    drawImage: (...drawn: [unknown, ...number[]]) => {
      const [, x = 0, y = 0, edge = 0] = drawn;
      if (drawn.length === 9) squares.push({ x, y, edge });
    },
  };
  const canvas = HTMLCanvasElement.prototype;
  vi.stubGlobal('Image', FakeImage);
  // jsdom's own do nothing but complain.
  Object.assign(canvas, {
    getContext: () => context,
    toBlob(this: HTMLCanvasElement, ...[done, type, quality]: ToBlob) {
      done(new Blob([`${this.width}x${this.height} at ${quality}`], { type }));
    },
  });
  Object.assign(URL, {
    createObjectURL: (content: Blob) => {
      urls.given += 1;
      const url = `blob:${urls.given}`;
      contents.set(url, content);
      return url;
    },
    revokeObjectURL: () => {
      urls.returned += 1;
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return { squares, urls };
}
