/** Runs tasks one after the other, in the order in which they came, whether or not the one before failed. */
export interface TaskQueue {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

export function createTaskQueue(): TaskQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (task) => {
      const result = last.then(task, task);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
