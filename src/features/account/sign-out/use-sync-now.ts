import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { syncNowAnswer } from '../../../data/sync-problem.ts';
import { syncActivityAtom, useSession } from '../../../platform/auth/session.ts';

export interface SyncNow {
  readonly press: () => void;
  /** A sentence about the result, as long as something waits to be sent; null before the button was pressed. */
  readonly answer: string | null;
}

/** The run over the documents has ended, but an upload takes longer, or waits for its next attempt. */
const stillSending = 'It is still being sent. This is tried again by itself.';

/** "Sync now" where leaving would lose what is not sent. @param offline as in {@link syncNowAnswer}. */
export function useSyncNow(offline?: string): SyncNow {
  const session = useSession();
  const activity = useAtomValue(syncActivityAtom);
  const [isAsked, setIsAsked] = useState(false);
  const press = (): void => {
    setIsAsked(true);
    session.syncNow();
  };
  return { press, answer: isAsked ? (syncNowAnswer(activity, offline) ?? stillSending) : null };
}
