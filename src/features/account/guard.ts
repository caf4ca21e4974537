import { redirect } from '@tanstack/react-router';
import { atom } from 'jotai';
import type { RouterContext } from '../../lib/react/router-context.ts';
import { authStateAtom, syncActivityAtom } from '../../platform/auth/session.ts';
import { forgetOrigin, readOrigin, rememberOrigin } from './sign-in/origin.ts';

export interface GuardedVisit {
  readonly context: RouterContext;
  readonly location: { readonly href: string };
}

/** True once somebody was signed in on this page: whoever signs in after them starts at the beginning. */
const hadUserAtom = atom(false);

/** Who was signed out to sign in again, before deleting their account; nobody else is led there. For this page only. */
export const reauthenticatingUidAtom = atom<string | null>(null);

/** Sends visitors to the sign-in page. Until it is known who it is, the page shows a skeleton. */
export function requireSignedIn({ context, location }: GuardedVisit): void {
  const { user, initialized } = context.store.get(authStateAtom);
  if (!initialized) return;
  if (user !== null) {
    context.store.set(hadUserAtom, true);
    context.store.set(reauthenticatingUidAtom, null);
    forgetOrigin();
    return;
  }
  if (!context.store.get(hadUserAtom)) rememberOrigin(location.href);
  throw redirect({ to: '/auth/login', replace: true });
}

/**
 * Sends signed-in visitors of the account pages to where they came from, unless the provider does not know their sign-in
 * any more: then they may sign in again, and keep what is on the device.
 */
export function requireSignedOut({ context }: GuardedVisit): void {
  const { user, initialized } = context.store.get(authStateAtom);
  const { problem } = context.store.get(syncActivityAtom);
  if (problem === 'unauthenticated') return;
  if (!initialized || user === null) return;
  const isBack = context.store.get(reauthenticatingUidAtom) === user.uid;
  throw redirect({ href: isBack ? '/account/delete' : readOrigin(), replace: true });
}
