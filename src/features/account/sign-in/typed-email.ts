import { atom } from 'jotai';

/** What was typed on one account page, for the next one. Gone with the sign-in: the next person here must not read it. */
export const typedEmailAtom = atom('');
