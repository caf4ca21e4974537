/**
 * A queue for work of which only a little can be done at a time, since it takes a processor, much memory or the disk. Keys
 * take turns, so that a key with a long queue delays no other. The work of one key begins in order.
 */
export function createFairQueue(maxRunning: number) {
  let running = 0;
  let onIdle: (() => void)[] = [];
  /** The waiting tasks by key; the key whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();

  const next = () => {
    const [turn] = waiting;
    if (turn === undefined) {
      running--;
      if (running > 0) return;
      for (const each of onIdle) each();
      onIdle = [];
      return;
    }
    const [key, [start, ...rest]] = turn;
    waiting.delete(key);
    if (rest.length > 0) waiting.set(key, rest);
    start?.();
  };

  return {
    /** Resolves when nothing runs or waits. */
    idle: (): Promise<void> =>
      running === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve)),
    async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      if (running < maxRunning) running++;
      else {
        await new Promise<void>((resolve) => {
          waiting.set(key, [...(waiting.get(key) ?? []), resolve]);
        });
      }
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}
