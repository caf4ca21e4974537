import { useState } from 'react';
import { somethingWentWrong } from '../../../schemas/messages.ts';
import { CommandError } from '../../data/commands.ts';

export interface Action {
  readonly problem: string | null;
  readonly run: (command: () => Promise<void>) => void;
}

/** Runs commands and keeps the sentence of the last one that failed. */
export function useAction(): Action {
  const [problem, setProblem] = useState<string | null>(null);
  const run = (command: () => Promise<void>): void => {
    setProblem(null);
    command().catch((error: unknown) => {
      setProblem(error instanceof CommandError ? error.message : somethingWentWrong);
    });
  };
  return { problem, run };
}
