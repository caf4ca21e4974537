import CloudOff from 'lucide-react/icons/cloud-off';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

export interface NotFetchedYetProps {
  /** The reason why the data is missing; null while it is being fetched. */
  readonly problem: string | null;
  readonly waitText: string;
  /** The placeholder for the data. */
  readonly skeleton: ReactNode;
}

/** Replaces a list on a device that has never fetched all data, and so cannot know that the list is empty. */
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
    <div aria-busy="true" className="flex min-h-0 flex-1 flex-col gap-4">
      <p className="text-ink-soft">{waitText}</p>
      <div aria-hidden="true" className="flex min-h-0 flex-1 flex-col">
        {skeleton}
      </div>
    </div>
  );
}
