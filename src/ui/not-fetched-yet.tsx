import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

export interface NotFetchedYetProps {
  /** Why it does not come; null while it is on its way. */
  readonly problem: string | null;
  readonly waitText: string;
  /** The shape of what will come. */
  readonly skeleton: ReactNode;
}

/** Stands where nothing can be said yet: this device has never seen all there is. */
export function NotFetchedYet({ problem, waitText, skeleton }: NotFetchedYetProps) {
  if (problem !== null) {
    return (
      <EmptyState
        sentence={problem}
        picture={<CloudOff aria-hidden size={40} className="text-ink-soft" />}
      />
    );
  }
  return (
    <div aria-busy="true" className="flex flex-1 flex-col gap-4">
      <p className="px-1 text-ink-soft">{waitText}</p>
      <div aria-hidden="true">{skeleton}</div>
    </div>
  );
}
