import { settlePromises } from '../../support/fakes/fake-clock.ts';

/** A page or worker. When it dies, its memory is lost and its stored data is not. */
export interface Process {
  isAlive: boolean;
}

/**
 * Runs several engines in one thread, one step at a time, in an order that a seed decides. Every call of a port pauses
 * before and after its work, so that between any two steps another process may proceed, or one may die.
 */
export interface StepScheduler {
  /** Waits for the process's turn; never resolves if the process dies first. */
  pause(process: Process): Promise<void>;
  /** Lets one waiting process, or `only` this one, take a step. @returns false if none waits. */
  step(only?: Process): Promise<boolean>;
  kill(process: Process): void;
}

interface Waiting {
  readonly process: Process;
  readonly resume: () => void;
}

/** @param pick returns an index below the bound, from the seed. */
export function createStepScheduler(pick: (bound: number) => number): StepScheduler {
  let queue: Waiting[] = [];
  return {
    pause: (process) =>
      new Promise((resume) => {
        if (process.isAlive) queue.push({ process, resume });
      }),
    step: async (only) => {
      await settlePromises();
      const ready = only ? queue.filter(({ process }) => process === only) : queue;
      const next = ready[pick(ready.length)];
      if (!next) return false;
      queue = queue.filter((waiting) => waiting !== next);
      next.resume();
      await settlePromises();
      return true;
    },
    kill: (process) => {
      process.isAlive = false;
      queue = queue.filter((waiting) => waiting.process !== process);
    },
  };
}
