import { redirect } from '@tanstack/react-router';
import { atom } from 'jotai';
import type { RouterContext } from '../../lib/react/router-context.ts';
import { authStateAtom, syncActivityAtom } from '../../platform/auth/session.ts';
import { forgetOrigin, readOrigin, rememberOrigin } from './sign-in/origin.ts';

export interface GuardedVisit {
  readonly context: RouterContext;
  readonly location: { readonly href: string };
  /** Whether the code of the page is only preloaded. */
  readonly preload: boolean;
}

/** True once somebody was signed in on this page. The next user who signs in starts at the beginning. */
const hadUserAtom = atom(false);

/**
 * The user who was signed out to sign in again before deleting the account, and returns to the deletion afterwards. It
 * is null after a reload of the page.
 */
export const reauthenticatingUidAtom = atom<string | null>(null);

/** Redirects visitors to the sign-in page. Until the sign-in state is known, the page shows a skeleton. */
export function requireSignedIn({ context, location, preload }: GuardedVisit): void {
  const { user, initialized } = context.store.get(authStateAtom);
  if (!initialized) return;
  if (user !== null) {
    context.store.set(hadUserAtom, true);
    context.store.set(reauthenticatingUidAtom, null);
    forgetOrigin();
    return;
  }
  if (!preload && !context.store.get(hadUserAtom)) rememberOrigin(location.href);
  throw redirect({ to: '/auth/login', replace: true });
}

/**
 * Redirects signed-in visitors of the account pages to the page they came from. A user whose sign-in the provider no
 * longer accepts may stay, to sign in again and keep the data on the device.
 */
export function requireSignedOut({ context }: GuardedVisit): void {
  const { user, initialized } = context.store.get(authStateAtom);
  const { problem } = context.store.get(syncActivityAtom);
  if (problem === 'unauthenticated') return;
  if (!initialized || user === null) return;
  const isBack = context.store.get(reauthenticatingUidAtom) === user.uid;
  throw redirect({ href: isBack ? '/account/delete' : readOrigin(), replace: true });
}
