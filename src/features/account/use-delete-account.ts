import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { authStateAtom, useSession } from '../../platform/auth/session.ts';
import { useToasts } from '../../platform/toasts.ts';
import { authErrorCopy, isUnreachable } from './sign-in/auth-copy.ts';
import { reauthenticatingUidAtom } from './guard.ts';
import { withPart } from './sign-in/use-account-request.ts';
import { useShowLogin } from './sign-in/use-show-login.ts';

const accountDeleted = 'Your account is deleted, with everything in it.';

export interface DeleteAccount {
  readonly step: 'confirm' | 'reauthenticate';
  readonly isBusy: boolean;
  /** A sentence for the owner; null when there is none. */
  readonly error: string | null;
  readonly remove: () => Promise<void>;
  /** Signs out, because a deletion needs a recent sign-in, which leads back here. */
  readonly reauthenticate: () => Promise<void>;
}

export function useDeleteAccount(): DeleteAccount {
  const session = useSession();
  const toasts = useToasts();
  const showLogin = useShowLogin();
  const { user, status, error } = useAtomValue(authStateAtom);
  const setState = useSetAtom(authStateAtom);
  const setReauthenticating = useSetAtom(reauthenticatingUidAtom);
  const [step, setStep] = useState<DeleteAccount['step']>('confirm');
  const [hasFailed, setHasFailed] = useState(false);
  const isBusy = status === 'loading';

  const attempt = async (request: () => Promise<void>): Promise<unknown> => {
    setState(withPart({ status: 'loading', error: null }));
    try {
      await request();
      await showLogin();
      return null;
    } catch (failure) {
      setHasFailed(true);
      setState(withPart({ status: 'failed', error: authErrorCopy(failure, 'delete') }));
      return failure;
    }
  };

  const remove = async (): Promise<void> => {
    const failure = await attempt(() => session.deleteAccount());
    if (failure === null) toasts.show({ message: accountDeleted, variant: 'success' });
    // Without a connection a new sign-in would neither help nor be possible.
    if (failure !== null && !isUnreachable(failure)) setStep('reauthenticate');
  };

  const reauthenticate = async (): Promise<void> => {
    setReauthenticating(user?.uid ?? null);
    await attempt(() => session.signOut());
  };

  const isTold = hasFailed && status === 'failed';
  return { step, isBusy, error: isTold ? error : null, remove, reauthenticate };
}
