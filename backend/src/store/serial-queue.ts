export interface SerialQueue {
  /** Runs tasks one after the other in the order of the calls, even after one fails. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when all tasks so far have ended. */
  idle(): Promise<void>;
}

export function createSerialQueue(): SerialQueue {
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
