import { useState } from 'react';
import { useAction, type Action, type Said } from './use-action.ts';

export interface SoleAction<Args extends readonly unknown[]> extends Pick<
  Action,
  'done' | 'problem'
> {
  readonly isBusy: boolean;
  /** Runs the command, unless it is running. */
  readonly start: (...args: Args) => void;
}

/** Runs one command, never twice at once. @param create makes the command once. */
export function useSoleAction<Args extends readonly unknown[]>(
  create: () => (...args: Args) => Promise<Said>,
  sentenceOf: (error: unknown) => string,
): SoleAction<Args> {
  const [command] = useState(create);
  const { done, problem, run, isBusy } = useAction(sentenceOf);
  return {
    done,
    problem,
    isBusy: isBusy(''),
    start: (...args) => {
      if (!isBusy('')) run(async () => command(...args));
    },
  };
}
