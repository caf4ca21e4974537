import { atom } from 'jotai';
import { authStateAtom } from '../../../platform/auth/session.ts';

/**
 * The e-mail address that was typed on one account page, for the next one. It is cleared on sign-in, because the next
 * person at this device must not read it.
 */
export const typedEmailAtom = atom('');

/** The address that a page starts with: the typed one, or that of an owner whose sign-in has ended. */
export const knownEmailAtom = atom((get) => {
  const typed = get(typedEmailAtom);
  return typed === '' ? (get(authStateAtom).user?.email ?? '') : typed;
});
