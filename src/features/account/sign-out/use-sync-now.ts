import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { syncNowAnswer } from '../../../data/sync-problem.ts';
import { syncActivityAtom, useSession } from '../../../platform/auth/session.ts';

export interface SyncNow {
  readonly press: () => void;
  /** A sentence about the result; null before the button was pressed, and once everything is synced. */
  readonly answer: string | null;
  /** Whether the button was pressed and nothing is left to sync. */
  readonly isOver: boolean;
}

/** "Sync now" where leaving would lose what is not sent. @param offline as in {@link syncNowAnswer}. */
export function useSyncNow(offline?: string): SyncNow {
  const session = useSession();
  const activity = useAtomValue(syncActivityAtom);
  const [isAsked, setIsAsked] = useState(false);
  const press = (): void => {
    setIsAsked(true);
    session.syncNow();
  };
  const answer = isAsked ? syncNowAnswer(activity, offline) : null;
  return { press, answer, isOver: isAsked && answer === null };
}
