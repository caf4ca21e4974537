import type { Live } from '../../src/lib/async/live.ts';

export interface Watched<Value> {
  readonly value: Value;
  readonly stop: () => void;
}

/** Watches, and resolves with the first value. */
export function watch<Value>(live: Live<Value>): Promise<Watched<Value>> {
  return new Promise((resolve) => {
    const look = (): void => {
      const value = live.getSnapshot();
      if (value !== undefined) resolve({ value, stop: () => stop() });
    };
    const stop = live.subscribe(look);
    look();
  });
}

/** Returns the first value, and stops watching. */
export async function firstValue<Value>(live: Live<Value>): Promise<Value> {
  const { value, stop } = await watch(live);
  stop();
  return value;
}
