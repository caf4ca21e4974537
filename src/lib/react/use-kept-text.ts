import { useEffect, useState } from 'react';
import { forgetDraft, readDraft, watchDraft, writeDraft, type DraftPlace } from '../draft.ts';

export interface KeptText {
  readonly text: string;
  /** Whether another text was stored since this one was begun. */
  readonly isOverNewer: boolean;
  readonly change: (typed: string) => void;
  /** See {@link forgetDraft}. */
  readonly forget: (done: string) => void;
}

/**
 * Keeps a text that is typed in place of a stored one as a draft, until it is saved or equals the stored text again: it
 * survives a reload and a step back, and follows the other tabs. Until something is typed, it follows the stored text, so
 * that a save without a change undoes no change of another device.
 *
 * Another tab removes the draft when it saves the text, but also when it deletes the note. So the text stays here until
 * it is the stored one, and is a draft again once the note is gone.
 * @param placeOver returns the place of the draft that is typed over a stored text.
 */
export function useKeptText(
  placeOver: (stored: string) => DraftPlace,
  stored: string,
  isGone = false,
): KeptText {
  const [begunOver, setBegunOver] = useState(stored);
  const { owner, name } = placeOver(begunOver);
  const [typed, setTyped] = useState(() => readDraft({ owner, name }) || null);
  const [isRemoved, setIsRemoved] = useState(false);
  if (isRemoved && typed?.trim() === stored) setTyped(null);
  if (typed === null && begunOver !== stored) {
    setBegunOver(stored);
    // Another tab may have got that text earlier.
    setTyped(readDraft(placeOver(stored)) || null);
  }
  useEffect(() => {
    const follow = (kept: string): void => {
      setIsRemoved(kept === '');
      if (kept !== '') setTyped(kept);
    };
    return watchDraft({ owner, name }, follow);
  }, [owner, name]);
  useEffect(() => {
    if (isGone && isRemoved && typed !== null) writeDraft({ owner, name }, typed);
  }, [owner, name, isGone, isRemoved, typed]);
  return {
    text: typed ?? stored,
    isOverNewer: typed !== null && begunOver !== stored && typed.trim() !== stored,
    change: (text) => {
      const own = text === stored ? null : text;
      setTyped(own);
      setIsRemoved(false);
      writeDraft({ owner, name }, own ?? '');
    },
    forget: (done) => forgetDraft({ owner, name }, done),
  };
}
