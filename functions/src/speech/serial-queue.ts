import { raceSignal } from './race-signal.ts';

/**
 * Creates a serial queue for work that uses the whole machine: each task waits until the tasks before it have ended.
 * Once its signal is aborted, a task rejects at once, and does not start if it is still waiting.
 */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    last = turn.catch(() => undefined);
    return raceSignal(turn, signal);
  };
}
