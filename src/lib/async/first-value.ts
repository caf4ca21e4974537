import type { Live } from './live.ts';

/** Resolves with the first value of a {@link Live}, or with the first one that passes a test. */
export function firstValue<T>(
  live: Live<T>,
  isWanted: (value: T) => boolean = () => true,
): Promise<T> {
  return new Promise((resolve) => {
    let stop: (() => void) | null = null;
    let isDone = false;
    const look = (): void => {
      const value = live.getSnapshot();
      if (value === undefined || isDone || !isWanted(value)) return;
      isDone = true;
      stop?.();
      resolve(value);
    };
    stop = live.subscribe(look);
    if (isDone) stop();
    else look();
  });
}
