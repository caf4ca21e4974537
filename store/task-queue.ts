/** Runs tasks one after another, in the order of their calls. A failed task does not stop the others. */
export function createTaskQueue() {
  let last: Promise<unknown> = Promise.resolve();
  const run = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = last.then(task, task);
    last = result.catch(() => undefined);
    return result;
  };
  return { run };
}
