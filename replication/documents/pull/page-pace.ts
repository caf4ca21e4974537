import { RemoteError } from '../../ports.ts';

const slowMs = 10_000;
const fastMs = 3_000;

export type PagePace = ReturnType<typeof createPagePace>;

interface PagePaceDeps {
  readonly now: () => number;
  readonly first: number;
  readonly most: number;
}

/** Whether the server has no room: for a request of that size, or for what it would store. */
export function hasNoRoom(error: unknown): boolean {
  return error instanceof RemoteError && error.code === 'resource-exhausted';
}

/**
 * Adapts the number of documents in one request to the link.
 *
 * - The size is halved after a slow request, and quartered after a slow failure: a smaller request loses less when it
 *   fails, and stores something sooner. It is also quartered when the server has no room for it, however soon.
 * - The size is doubled after a full page that was fast, up to the maximum.
 */
export function createPagePace({ now, first, most }: PagePaceDeps) {
  let size = Math.min(first, most);
  const change = (factor: number): void => {
    size = Math.min(most, Math.max(1, Math.floor(size * factor)));
  };
  return {
    size: () => size,
    /** Times the work. @param isFull whether its result holds as many documents as it may. */
    timed: async <Result>(
      work: () => Promise<Result>,
      isFull: (result: Result) => boolean,
    ): Promise<Result> => {
      const startMs = now();
      try {
        const result = await work();
        const tookMs = now() - startMs;
        if (tookMs > slowMs) change(0.5);
        else if (tookMs < fastMs && isFull(result)) change(2);
        return result;
      } catch (error) {
        if (now() - startMs > slowMs || hasNoRoom(error)) change(0.25);
        throw error;
      }
    },
  };
}
