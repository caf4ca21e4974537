import { useAtomValue } from 'jotai';
import type { ReactNode } from 'react';
import { useOptionalData } from '../../data/data-context.ts';
import { authStateAtom } from '../../platform/auth/session.ts';

export interface SignedInGateProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Shows its children only while the data of the signed-in owner is open. */
export function SignedInGate({ fallback, children }: SignedInGateProps) {
  const { user, initialized } = useAtomValue(authStateAtom);
  const data = useOptionalData();
  const isOpen = initialized && user !== null && data?.uid === user.uid;
  return isOpen ? children : fallback;
}
