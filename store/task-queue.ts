/** Runs tasks one after another, in the order of their calls. A failed task does not stop the others. */
export interface TaskQueue {
  readonly run: <Result>(task: () => Promise<Result>) => Promise<Result>;
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
