import { useState } from 'react';

/** The result of a command whose message depends on its outcome. */
export interface Said {
  readonly said: string;
}

export interface Action {
  /** The message of the last command's failure. */
  readonly problem: string | null;
  /** The id of the item that the last command was run on; '' if it has none. */
  readonly itemId: string;
  /** The message of the last command's success; null while it runs, or if it has no message. */
  readonly done: string | null;
  /**
   * Runs a command.
   * @param itemId the item that it is run on, which is busy until the command ends.
   * @param doneText the message of success, unless the command returns one.
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

/** Runs commands and keeps the outcome of the last one. */
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
