import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

export interface NotFetchedYetProps {
  readonly isOffline: boolean;
  readonly waitText: string;
  /** The shape of what will come. */
  readonly skeleton: ReactNode;
}

/** Stands where nothing can be said yet: this device has never seen all there is. */
export function NotFetchedYet({ isOffline, waitText, skeleton }: NotFetchedYetProps) {
  if (isOffline) {
    return (
      <EmptyState
        sentence="Not fetched yet, needs a connection"
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
