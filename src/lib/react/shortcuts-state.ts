import { atom } from 'jotai';

/** Whether the list of keyboard shortcuts is shown. */
export const areShortcutsShownAtom = atom(false);
