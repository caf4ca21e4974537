import { useStore } from 'jotai';
import { useMemo } from 'react';
import { authStateAtom } from '../../../platform/auth/session.ts';
import { useToasts, type ToastRequest } from '../../../platform/toasts.ts';

/**
 * Returns a function that shows a toast about a recording, also after its page was left. Once its owner has signed out it
 * shows nothing, since that takes the recording away.
 */
export function useOwnersToasts(): (toast: ToastRequest) => void {
  const store = useStore();
  const toasts = useToasts();
  return useMemo(
    () => (toast) => {
      if (store.get(authStateAtom).user !== null) toasts.show(toast);
    },
    [store, toasts],
  );
}
