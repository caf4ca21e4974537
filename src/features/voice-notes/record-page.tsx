import { Mic } from 'lucide-react';
import type { ReactNode } from 'react';
import { ComingSoon } from '../../ui/coming-soon.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** @param children what can be done instead. */
export function RecordPage({ children }: { readonly children: ReactNode }) {
  return (
    <EmptyState
      sentence="Voice notes are on their way. Until then, write it down."
      picture={<Mic aria-hidden size={48} className="text-heather" />}
    >
      <ComingSoon />
      {children}
    </EmptyState>
  );
}
