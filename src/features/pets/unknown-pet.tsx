import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useMemo, type ReactNode } from 'react';
import { useData } from '../../data/data-context.ts';
import { petDeleted, petNotFound } from '../../../schemas/copy/form-copy.ts';
import { whyNotFetched } from '../../data/sync-problem.ts';
import { useFetchedOnce } from '../../data/queries/use-fetched-once.ts';
import { useLive } from '../../lib/async/live.ts';
import { useDocumentTitle } from '../../lib/dom/document-title.ts';
import { useCatchFocus } from '../../lib/react/use-catch-focus.ts';
import { syncActivityAtom } from '../../platform/auth/session.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LeftDrafts } from '../../ui/leftovers/left-drafts.tsx';
import { NotFetchedYet } from '../../ui/not-fetched-yet.tsx';

export interface UnknownPetProps {
  readonly petId: string;
  readonly skeleton: ReactNode;
  /** The element of the sentence: a heading, and the title of the tab, on a page whose header has no title. */
  readonly heading?: 'h1' | 'p';
}

/** @returns undefined for a dog that may not be fetched yet. */
function sentenceOf(isDeleted: boolean, isFetched: boolean): string | undefined {
  if (isDeleted) return petDeleted;
  return isFetched ? petNotFound : undefined;
}

/** Replaces a dog that this device does not have: never fetched, deleted, or another owner's. */
export function UnknownPet({ petId, skeleton, heading = 'p' }: UnknownPetProps) {
  const { uid, queries } = useData();
  const isDeleted = useLive(useMemo(() => queries.isPetDeleted(petId), [queries, petId]));
  const isFetched = useFetchedOnce();
  const problem = whyNotFetched(useAtomValue(syncActivityAtom));
  const sentence = isDeleted === undefined ? undefined : sentenceOf(isDeleted, isFetched);
  useDocumentTitle(heading === 'h1' ? sentence : undefined);
  useCatchFocus(sentence);
  if (isDeleted === undefined) return skeleton;
  if (sentence === undefined) {
    return <NotFetchedYet problem={problem} waitText="Fetching this dog…" skeleton={skeleton} />;
  }
  return (
    <EmptyState sentence={sentence} heading={heading}>
      {isDeleted && <LeftDrafts owner={uid} name={petId} />}
      <Link to="/pets" className={buttonStyle('primary')}>
        My Dogs
      </Link>
    </EmptyState>
  );
}
