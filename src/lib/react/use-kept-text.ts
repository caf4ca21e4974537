import { useEffect, useState } from 'react';
import { readDraft, watchDraft, writeDraft, type DraftPlace } from '../draft.ts';

export interface KeptText {
  readonly text: string;
  readonly change: (typed: string) => void;
  /** Removes the draft once the text is saved or given up. */
  readonly forget: () => void;
}

/**
 * Keeps a text that is typed in place of a stored one as a draft, until it is saved or equals the stored text again: it
 * survives a reload and a step back, and follows the other tabs. Until something is typed, it follows the stored text, so
 * that a save without a change undoes no change of another device.
 */
export function useKeptText({ owner, name }: DraftPlace, stored: string): KeptText {
  const [typed, setTyped] = useState(() => readDraft({ owner, name }) || null);
  useEffect(() => watchDraft({ owner, name }, (kept) => setTyped(kept || null)), [owner, name]);
  return {
    text: typed ?? stored,
    change: (text) => {
      const own = text === stored ? null : text;
      setTyped(own);
      writeDraft({ owner, name }, own ?? '');
    },
    forget: () => writeDraft({ owner, name }, ''),
  };
}
