import { atom } from 'jotai';

/** The number of presses of the header's Save button. The form on the page submits when it rises. */
export const saveSignalAtom = atom(0);

/** Whether the owner reads further up in a journal, so that the heading of the page folds. */
export const isHeadingFoldedAtom = atom(false);
