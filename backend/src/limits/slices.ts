import { keyOf, type Client } from './client.ts';
import type { Turns } from './turns.ts';

/**
 * Long work of the thread, as a generator that yields where it may be interrupted. It yields a promise where it has to
 * wait.
 */
export type Steps<Result> = Generator<PromiseLike<unknown> | undefined, Result, void>;

/**
 * - The first slice runs at once, as a part of the caller's work: short work takes no turn of the event loop.
 * - Each later slice waits for a turn of its client and is charged to it.
 * - Work that ends early, because it is refused or a promise rejects, runs its `finally` blocks.
 */
export function createSlices(turns: Pick<Turns, 'later'>) {
  const goOn = async <Result>(
    client: Client,
    steps: Iterator<PromiseLike<unknown> | undefined, Result, void>,
    first: PromiseLike<unknown> | undefined,
  ): Promise<Result> => {
    let pause = first;
    try {
      for (;;) {
        await pause;
        const step = await turns.later(client, () => steps.next());
        if (step.done === true) return step.value;
        pause = step.value;
      }
    } finally {
      steps.return?.();
    }
  };

  /** Returns the result itself if one slice is enough, else a promise. Throws or rejects with the error of the work. */
  const run = <Result>(client: Client, steps: Steps<Result>): Result | Promise<Result> => {
    const step = steps.next();
    return step.done === true ? step.value : goOn(client, steps, step.value);
  };

  const lasts = new Map<string, Promise<unknown>>();
  return {
    run,
    /**
     * As `run`, but it begins when earlier work of the client that was run so is complete, so that a client with many long
     * answers has only one that is half made. The work must not wait for its client.
     */
    runAlone<Result>(client: Client, steps: Steps<Result>): Result | Promise<Result> {
      const key = keyOf(client);
      const earlier = lasts.get(key);
      const result = earlier === undefined ? run(client, steps) : goOn(client, steps, earlier);
      if (!(result instanceof Promise)) return result;
      const last = Promise.allSettled([result]).finally(() => {
        if (lasts.get(key) === last) lasts.delete(key);
      });
      lasts.set(key, last);
      return result;
    },
  };
}

/**
 * Runs the whole work synchronously; only for work that does not have to wait.
 *
 * @param onSlice is called after each slice but the last, and may throw.
 */
export function finish<Result>(
  steps: Iterator<PromiseLike<unknown> | undefined, Result, void>,
  onSlice?: () => void,
): Result {
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      onSlice?.();
    }
  } finally {
    steps.return?.();
  }
}

/** Visits many small items in slices. */
export function* inSlices<Item>(
  items: Iterable<Item>,
  visit: (item: Item) => void,
  elapsedMs: () => number,
): Steps<void> {
  const isSliceOver = createSliceMeter(elapsedMs);
  for (const each of items) {
    visit(each);
    while (isSliceOver()) yield undefined;
  }
}

/** The length of a slice: short, since a turn of the event loop does one and accepts one connection. */
export const sliceMs = 3;
/** The length of a slice of a commit, which all later commits wait for. */
export const commitSliceMs = 10;

/**
 * Returns a function that returns true at the end of a slice, to be called after each small piece of work. The next slice
 * begins with the call after that: `while (isSliceOver()) yield undefined` calls it when the work goes on.
 */
export function createSliceMeter(elapsedMs: () => number, lengthMs = sliceMs): () => boolean {
  let endMs = elapsedMs() + lengthMs;
  return () => {
    const nowMs = elapsedMs();
    if (endMs === Infinity) endMs = nowMs + lengthMs;
    if (nowMs < endMs) return false;
    endMs = Infinity;
    return true;
  };
}
