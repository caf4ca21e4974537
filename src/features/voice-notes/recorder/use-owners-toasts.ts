import { useStore } from 'jotai';
import { useMemo } from 'react';
import { authStateAtom } from '../../../platform/auth/session.ts';
import { useToasts, type ToastRequest } from '../../../platform/toasts.ts';

/**
 * Returns a function that shows a toast about a recording, also after its page was left. Once its owner has signed out it
 * shows nothing, since that takes the recording away, and another owner may have signed in.
 */
export function useOwnersToasts(): (toast: ToastRequest) => void {
  const store = useStore();
  const toasts = useToasts();
  return useMemo(() => {
    const uidOf = () => store.get(authStateAtom).user?.uid;
    const owner = uidOf();
    return (toast) => {
      if (uidOf() === owner) toasts.show(toast);
    };
  }, [store, toasts]);
}
