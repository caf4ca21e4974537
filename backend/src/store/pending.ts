export interface Pending {
  /** Returns the task. */
  add<T>(task: Promise<T>): Promise<T>;
  /** Resolves when all tasks have ended, however they did. */
  settled(): Promise<void>;
}

/** Remembers the tasks that run, so that a stop can wait for them. */
export function createPending(): Pending {
  const running = new Set<Promise<unknown>>();
  return {
    add(task) {
      const ended: Promise<unknown> = task.then(
        () => running.delete(ended),
        () => running.delete(ended),
      );
      running.add(ended);
      return task;
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
