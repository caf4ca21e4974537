import { atom } from 'jotai';

/** Counts presses of the header's Save button; the form on the page submits when it rises. */
export const saveSignalAtom = atom(0);

/** True while one reads further up: the heading of the page then makes room. */
export const isHeadingFoldedAtom = atom(false);
