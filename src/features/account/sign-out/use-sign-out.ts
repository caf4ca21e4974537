import { useRef, useState } from 'react';
import { useData } from '../../../data/data-context.ts';
import { useSession } from '../../../platform/auth/session.ts';
import { readUnsent } from '../../../data/unsent-work.ts';
import { useShowLogin } from '../sign-in/use-show-login.ts';

export const signOutFailed = 'Signing out did not work. Nothing was lost; please try again.';

type SignOutStep = 'idle' | 'asking' | 'leaving' | 'failed';

export interface SignOut {
  readonly step: SignOutStep;
  /** Signs out at once if everything is sent, or else asks. */
  readonly start: () => Promise<void>;
  readonly leave: () => Promise<void>;
  readonly cancel: () => void;
}

export function useSignOut(): SignOut {
  const data = useData();
  const session = useSession();
  const showLogin = useShowLogin();
  const [step, setStep] = useState<SignOutStep>('idle');
  const isStarting = useRef(false);

  const leave = async (): Promise<void> => {
    setStep('leaving');
    try {
      await session.signOut();
      await showLogin();
    } catch {
      setStep('failed');
    }
  };

  const start = async (): Promise<void> => {
    if (isStarting.current || step === 'leaving') return;
    isStarting.current = true;
    try {
      if ((await readUnsent(data)) === '') await leave();
      else setStep('asking');
    } catch {
      setStep('failed');
    }
    isStarting.current = false;
  };

  return { step, start, leave, cancel: () => setStep('idle') };
}
