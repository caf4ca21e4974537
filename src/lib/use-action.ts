import { useState } from 'react';

export interface Action {
  readonly problem: string | null;
  /** @param itemId what it is done to: busy until it has ended. */
  readonly run: (command: () => Promise<void>, itemId?: string) => void;
  readonly isBusy: (itemId: string) => boolean;
}

/** Runs commands and keeps the sentence of the last one that failed. */
export function useAction(sentenceOf: (error: unknown) => string): Action {
  const [problem, setProblem] = useState<string | null>(null);
  const [busyIds, setBusyIds] = useState<readonly string[]>([]);

  const run: Action['run'] = (command, itemId = '') => {
    const attempt = async (): Promise<void> => {
      try {
        await command();
      } catch (error) {
        setProblem(sentenceOf(error));
      }
      setBusyIds((ids) => ids.filter((id) => id !== itemId));
    };
    setProblem(null);
    setBusyIds((ids) => [...ids, itemId]);
    void attempt();
  };

  return { problem, run, isBusy: (itemId) => busyIds.includes(itemId) };
}
