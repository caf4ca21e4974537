import { raceSignal } from './race-signal.ts';

/** Runs the work in its turn. Rejects with the signal's reason once it is aborted; work that still waits never begins. */
export type TaskQueue = <Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Creates a queue for work that uses much of the machine. It starts tasks in the order of the calls, and at most `width`
 * of them run at a time. The place of an aborted task is free only when its work has ended.
 */
export function createTaskQueue(width: number): TaskQueue {
  const waiting: (() => void)[] = [];
  let free = width;
  const startNext = (): void => {
    if (free === 0) return;
    const start = waiting.shift();
    if (start === undefined) return;
    free -= 1;
    start();
  };
  const leave = (): void => {
    free += 1;
    startNext();
  };
  return (signal, work) => {
    const turn = new Promise<void>((resolve) => waiting.push(resolve)).then(() => {
      signal.throwIfAborted();
      return work();
    });
    turn.then(leave, leave);
    startNext();
    return raceSignal(turn, signal);
  };
}
