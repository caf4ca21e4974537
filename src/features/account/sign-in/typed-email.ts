import { atom } from 'jotai';

/**
 * The e-mail address that was typed on one account page, for the next one. It is cleared on sign-in, because the next
 * person at this device must not read it.
 */
export const typedEmailAtom = atom('');
