import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useData } from '../../data/data-context.ts';
import { firstValue } from '../../lib/first-value.ts';
import { useSession } from '../../platform/session.ts';
import { countUnsent, hasUnsent } from './unsent-work.ts';

export const signOutFailed = 'Signing out did not work. Nothing was lost; please try again.';

type SignOutStep = 'idle' | 'asking' | 'leaving' | 'failed';

export interface SignOut {
  readonly step: SignOutStep;
  /** Signs out at once if everything is sent, else asks. */
  readonly start: () => Promise<void>;
  readonly leave: () => Promise<void>;
  readonly cancel: () => void;
}

export function useSignOut(): SignOut {
  const { uid, queries } = useData();
  const session = useSession();
  const navigate = useNavigate();
  const [step, setStep] = useState<SignOutStep>('idle');

  const leave = async (): Promise<void> => {
    setStep('leaving');
    try {
      await session.signOut();
      await navigate({ to: '/auth/login', replace: true });
    } catch {
      setStep('failed');
    }
  };

  const start = async (): Promise<void> => {
    if (step === 'leaving') return;
    const overview = await firstValue(queries.syncOverview());
    if (hasUnsent(countUnsent(overview, uid))) setStep('asking');
    else await leave();
  };

  return { step, start, leave, cancel: () => setStep('idle') };
}
