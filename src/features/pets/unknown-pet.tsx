import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import type { ReactNode } from 'react';
import { whyNotFetched } from '../../data/sync-problem.ts';
import { useFetchedOnce } from '../../data/queries/use-fetched-once.ts';
import { syncActivityAtom } from '../../platform/auth/session.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFetchedYet } from '../../ui/not-fetched-yet.tsx';

export const notHere = 'This dog is not on this device';

export interface UnknownPetProps {
  readonly skeleton: ReactNode;
  /** The element of the heading on a page whose header has no title. */
  readonly heading?: 'h1' | 'p';
}

/** Replaces a dog that this device does not have: never fetched, deleted, or another owner's. */
export function UnknownPet({ skeleton, heading = 'p' }: UnknownPetProps) {
  const isFetched = useFetchedOnce();
  const problem = whyNotFetched(useAtomValue(syncActivityAtom));
  if (!isFetched) {
    return <NotFetchedYet problem={problem} waitText="Fetching this dog…" skeleton={skeleton} />;
  }
  return (
    <EmptyState sentence={notHere} heading={heading}>
      <Link to="/pets" className={buttonStyle('primary')}>
        My Dogs
      </Link>
    </EmptyState>
  );
}
