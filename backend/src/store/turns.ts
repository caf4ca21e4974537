export interface Turns {
  /** Runs one after the other, in the order they were asked for, however the ones before have ended. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when all that was asked for has ended. */
  idle(): Promise<void>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const next = last.then(task);
      last = next.catch(() => undefined);
      return next;
    },
    async idle() {
      await last;
    },
  };
}
