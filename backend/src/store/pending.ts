/** Remembers the tasks that run, so that a stop can wait for them. */
export function createPending() {
  const running = new Set<Promise<unknown>>();
  return {
    /** Returns the task. */
    add<T>(task: Promise<T>): Promise<T> {
      const ended: Promise<unknown> = Promise.allSettled([task]).then(() => running.delete(ended));
      running.add(ended);
      return task;
    },
    /** Resolves when all tasks have ended, however they did. */
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
