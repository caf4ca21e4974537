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

/** "Sync now" where leaving would lose what is not sent. @param offline the sentence while there is no connection. */
export function useSyncNow(offline: string | null = null): SyncNow {
  const session = useSession();
  const activity = useAtomValue(syncActivityAtom);
  const [isAsked, setIsAsked] = useState(false);
  const press = (): void => {
    setIsAsked(true);
    session.syncNow();
  };
  const sentence = (activity.phase === 'offline' ? offline : null) ?? syncNowAnswer(activity);
  const answer = isAsked ? sentence : null;
  return { press, answer, isOver: isAsked && answer === null };
}
