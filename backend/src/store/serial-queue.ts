export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Runs tasks one after the other in the order of the calls, even after one fails. */
    run<T>(task: () => Promise<T>): Promise<T> {
      const next = last.then(task);
      last = next.catch(() => undefined);
      return next;
    },
    /** Resolves when all tasks so far have ended. */
    async idle() {
      await last;
    },
  };
}
