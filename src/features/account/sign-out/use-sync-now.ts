import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { syncNowAnswer } from '../../../data/sync-problem.ts';
import { syncActivityAtom, useSession } from '../../../platform/auth/session.ts';

export interface SyncNow {
  readonly press: () => void;
  /** A sentence about the result; null before the button was pressed. */
  readonly answer: string | null;
}

export function useSyncNow(): SyncNow {
  const session = useSession();
  const activity = useAtomValue(syncActivityAtom);
  const [isAsked, setIsAsked] = useState(false);
  const press = (): void => {
    setIsAsked(true);
    session.syncNow();
  };
  return { press, answer: isAsked ? syncNowAnswer(activity) : null };
}
