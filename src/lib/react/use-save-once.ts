import { useRef, useState } from 'react';

export interface SaveOnce {
  /** The sentence of the last failed save; null if there is none. */
  readonly failure: string | null;
  /** Clears the sentence. */
  readonly forget: () => void;
  readonly run: (save: () => Promise<void>) => void;
}

/** Runs a form's save: never two at once, and none after a successful one. */
export function useSaveOnce(sentenceOf: (error: unknown) => string): SaveOnce {
  const [failure, setFailure] = useState<string | null>(null);
  const isTaken = useRef(false);

  const attempt = async (save: () => Promise<void>): Promise<void> => {
    try {
      await save();
    } catch (error) {
      isTaken.current = false;
      setFailure(sentenceOf(error));
    }
  };

  return {
    failure,
    forget: () => setFailure(null),
    run: (save) => {
      if (isTaken.current) return;
      isTaken.current = true;
      setFailure(null);
      void attempt(save);
    },
  };
}
