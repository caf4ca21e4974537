import { raceSignal } from './race-signal.ts';

/**
 * For work that takes the whole machine: each waits until those before it have ended. Who is aborted waits no longer, and
 * never begins if it has not.
 */
export function createTurns() {
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
