import { raceSignal } from './race-signal.ts';

/** A task, and whose it is. */
interface Turn {
  readonly key: string;
  /** Once it is aborted the task rejects with its reason, and does not begin if it still waits. */
  readonly signal: AbortSignal;
}

/** Runs the work in its turn. */
export type TaskQueue = <Result>(turn: Turn, work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue for work that uses much of the machine. At most `width` tasks run at a time, and one of each key. Keys
 * take turns, so that one with many tasks delays no other. The place of an aborted task is free only when its work has
 * ended.
 */
export function createTaskQueue(width: number): TaskQueue {
  /** The waiting tasks by key; the key whose turn is next comes first. */
  const waiting = new Map<string, readonly (() => void)[]>();
  const running = new Set<string>();
  const startNext = (): void => {
    if (running.size === width) return;
    for (const [key, [start, ...rest]] of waiting) {
      if (running.has(key)) continue;
      running.add(key);
      waiting.delete(key);
      if (rest.length > 0) waiting.set(key, rest);
      start?.();
      return;
    }
  };
  return ({ key, signal }, work) => {
    const turn = new Promise<void>((resolve) => {
      waiting.set(key, [...(waiting.get(key) ?? []), resolve]);
    }).then(() => {
      signal.throwIfAborted();
      return work();
    });
    const leave = (): void => {
      running.delete(key);
      startNext();
    };
    turn.then(leave, leave);
    startNext();
    return raceSignal(turn, signal);
  };
}
