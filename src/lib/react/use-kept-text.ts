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
 * survives a reload and a step back, and follows the other tabs.
 */
export function useKeptText({ owner, name }: DraftPlace, before: string): KeptText {
  const [text, setText] = useState(() => readDraft({ owner, name }) || before);
  useEffect(
    () => watchDraft({ owner, name }, (kept) => setText(kept || before)),
    [owner, name, before],
  );
  return {
    text,
    change: (typed) => {
      setText(typed);
      writeDraft({ owner, name }, typed === before ? '' : typed);
    },
    forget: () => writeDraft({ owner, name }, ''),
  };
}
