import type { Live } from './live.ts';

/** The value of a {@link Live} as soon as there is one. */
export function firstValue<T>(live: Live<T>): Promise<T> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    let isDone = false;
    const look = (): void => {
      const value = live.getSnapshot();
      if (value === undefined || isDone) return;
      isDone = true;
      stop?.();
      resolve(value);
    };
    stop = live.subscribe(look);
    if (isDone) stop();
    else look();
  });
}
