import { useState } from 'react';

/** The words of a command with several outcomes for the owner. */
export interface Said {
  readonly said: string;
}

export interface Action {
  /** Why the last command failed. */
  readonly problem: string | null;
  /** What the last command was done to; '' if it was nothing in particular. */
  readonly itemId: string;
  /** What the last command has come to; null if it has not, or says nothing. */
  readonly done: string | null;
  /**
   * @param itemId what it is done to: busy until it has ended.
   * @param doneText what to say then, unless the command tells it.
   */
  readonly run: (
    command: () => Promise<void> | Promise<Said>,
    itemId?: string,
    doneText?: string,
  ) => void;
  readonly isBusy: (itemId: string) => boolean;
}

interface Outcome {
  readonly itemId: string;
  readonly problem: string | null;
  readonly done: string | null;
}

/** Runs commands and keeps what the last one has come to. */
export function useAction(sentenceOf: (error: unknown) => string): Action {
  const [outcome, setOutcome] = useState<Outcome>({ itemId: '', problem: null, done: null });
  const [busyIds, setBusyIds] = useState<readonly string[]>([]);

  const run: Action['run'] = (command, itemId = '', doneText) => {
    const attempt = async (): Promise<void> => {
      try {
        const told = await command();
        const done = typeof told === 'object' ? told.said : doneText;
        if (done !== undefined) setOutcome({ itemId, problem: null, done });
      } catch (error) {
        setOutcome({ itemId, problem: sentenceOf(error), done: null });
      }
      setBusyIds((ids) => ids.filter((id) => id !== itemId));
    };
    setOutcome({ itemId, problem: null, done: null });
    setBusyIds((ids) => [...ids, itemId]);
    void attempt();
  };

  return { ...outcome, run, isBusy: (itemId) => busyIds.includes(itemId) };
}
