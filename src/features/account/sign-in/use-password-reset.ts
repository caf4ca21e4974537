import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect } from 'react';
import type { RequestStatus } from '../../../../schemas/forms/account.ts';
import { authStateAtom } from '../../../platform/auth/session.ts';
import { authErrorCopy, type AuthPurpose } from './auth-copy.ts';
import { useIsShown, withPart } from './use-account-request.ts';

export interface PasswordReset {
  readonly status: RequestStatus;
  readonly message: string | null;
  /** Runs a request. @param success the message after a success. */
  readonly run: (request: () => Promise<void>, success: string) => Promise<void>;
  /** Forgets the failure of the last request. */
  readonly forget: () => void;
}

/** Runs requests about a forgotten password, and shows their state in the auth state while the page that asked is shown. */
export function usePasswordReset(purpose: AuthPurpose): PasswordReset {
  const { resetStatus: status, resetMessage: message } = useAtomValue(authStateAtom);
  const setState = useSetAtom(authStateAtom);
  const isShown = useIsShown();

  useEffect(() => {
    // The message of another page, or of an earlier visit, is not shown here.
    setState(withPart({ resetStatus: 'idle', resetMessage: null }));
  }, [setState]);

  const show = (resetStatus: RequestStatus, resetMessage: string | null): void => {
    if (isShown.current) setState(withPart({ resetStatus, resetMessage }));
  };

  const run = async (request: () => Promise<void>, success: string): Promise<void> => {
    show('loading', null);
    try {
      await request();
      show('succeeded', success);
    } catch (error) {
      show('failed', authErrorCopy(error, purpose));
    }
  };

  const forget = (): void => {
    if (status === 'failed') show('idle', null);
  };

  return { status, message, run, forget };
}
