import { useRouter } from '@tanstack/react-router';
import { useSetAtom, useAtomValue } from 'jotai';
import { useCallback, useEffect, useRef } from 'react';
import type { SignedInUser } from '../../../../schemas/forms/account.ts';
import { authStateAtom, type AuthState } from '../../../platform/auth/session.ts';
import { authErrorCopy, isCalledOff, type AuthPurpose } from './auth-copy.ts';
import { keepSignedInAtom } from './keep-signed-in.tsx';
import { typedEmailAtom } from './typed-email.ts';

export interface AccountRequest {
  readonly isBusy: boolean;
  /** A sentence for the owner; null when there is none. */
  readonly error: string | null;
  /** Runs a request. @param request may call `release` when the owner no longer has to wait for it. */
  readonly run: (request: (release: () => void) => Promise<SignedInUser>) => Promise<void>;
  /** Forgets the error of the last request. */
  readonly forget: () => void;
}

export function withPart(part: Partial<AuthState>) {
  return (state: AuthState): AuthState => ({ ...state, ...part });
}

/** Tells whether the page is still shown, in which an answer may come late. */
export function useIsShown(): { readonly current: boolean } {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/**
 * Runs one request at a time to the identity provider, and shows its state in the auth state. A failure is shown
 * on the page that asked, or nowhere.
 */
export function useAccountRequest(purpose: AuthPurpose): AccountRequest {
  const { status, error } = useAtomValue(authStateAtom);
  const setState = useSetAtom(authStateAtom);
  const setTypedEmail = useSetAtom(typedEmailAtom);
  const setKeepSignedIn = useSetAtom(keepSignedInAtom);
  const router = useRouter();

  const isShown = useIsShown();

  const forget = useCallback(() => {
    setState((state) =>
      state.status === 'failed' ? { ...state, status: 'idle', error: null } : state,
    );
  }, [setState]);
  // The failure of another page is not shown on this one.
  useEffect(forget, [forget]);

  const run: AccountRequest['run'] = async (request) => {
    let isReleased = false;
    const release = (): void => {
      isReleased = true;
      setState(withPart({ status: 'idle' }));
    };
    setState(withPart({ status: 'loading', error: null }));
    try {
      const user = await request(release);
      setState(withPart({ user, status: 'succeeded', initialized: true }));
      setTypedEmail('');
      setKeepSignedIn(true);
      // The guards of the routes now redirect the user.
      await router.invalidate();
    } catch (failure) {
      if (isShown.current && !isCalledOff(failure)) {
        setState(withPart({ status: 'failed', error: authErrorCopy(failure, purpose) }));
      } else if (!isReleased) release();
    }
  };

  return { isBusy: status === 'loading', error: status === 'failed' ? error : null, run, forget };
}
