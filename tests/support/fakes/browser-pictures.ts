import { onTestFinished, vi } from 'vitest';

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly edge: number;
}

export interface BrowserPictures {
  /** The squares that were drawn on a canvas, in order. */
  readonly squares: readonly Drawn[];
  /** The numbers of object URLs that were created and revoked. */
  readonly urls: { given: number; returned: number };
}

type ToBlob = [done: (blob: Blob) => void, type: string, quality: number];

/**
 * Stubs the images and canvases that jsdom lacks. A file with the content `WIDTHxHEIGHT` is a picture of that size; any
 * other file is no picture.
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
    /**
     * Takes the nine arguments of a square: the source, its left, top, width and height, and the same four on the
     * canvas.
     */
    drawImage: (...drawn: [unknown, ...number[]]) => {
      const [, x = 0, y = 0, edge = 0] = drawn;
      if (drawn.length === 9) squares.push({ x, y, edge });
    },
  };
  const canvas = HTMLCanvasElement.prototype;
  vi.stubGlobal('Image', FakeImage);
  // The methods of jsdom only report that they are not implemented.
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
