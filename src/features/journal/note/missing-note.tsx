import { Link, useNavigate } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { journalEntryNotFound } from '../../../../schemas/copy/form-copy.ts';
import { useData } from '../../../data/data-context.ts';
import { editDrafts } from '../../../data/edit-draft.ts';
import { whyNotFetched } from '../../../data/sync-problem.ts';
import { useFetchedOnce } from '../../../data/queries/use-fetched-once.ts';
import { useCatchFocus } from '../../../lib/react/use-catch-focus.ts';
import { syncActivityAtom } from '../../../platform/auth/session.ts';
import { buttonStyle } from '../../../ui/button-style.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { LeftDrafts } from '../../../ui/leftovers/left-drafts.tsx';
import { NotFetchedYet } from '../../../ui/not-fetched-yet.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

interface MissingNoteProps {
  readonly petId: string;
  readonly noteId: string;
}

/** A page for a note that this device does not have: not fetched yet, or deleted. It leads to the one that is restored. */
export function MissingNote({ petId, noteId }: MissingNoteProps) {
  const { uid, queries } = useData();
  const isFetched = useFetchedOnce();
  const problem = whyNotFetched(useAtomValue(syncActivityAtom));
  const navigate = useNavigate();
  useCatchFocus(isFetched ? journalEntryNotFound : undefined);
  useEffect(() => {
    if (!isFetched) return undefined;
    let isLeft = false;
    queries
      .nextPlace(noteId)
      .then((params) => {
        if (params === null || isLeft) return undefined;
        return navigate({ to: '/pets/$petId/notes/$noteId', params, replace: true });
      })
      .catch(() => undefined);
    return () => {
      isLeft = true;
    };
  }, [queries, noteId, isFetched, navigate]);
  if (isFetched) {
    return (
      <EmptyState sentence={journalEntryNotFound}>
        <LeftDrafts owner={uid} name={editDrafts({ id: noteId, petId })} />
        <Link
          to="/pets/$petId/profile"
          params={{ petId }}
          replace
          className={buttonStyle('primary')}
        >
          Back to the journal
        </Link>
      </EmptyState>
    );
  }
  return (
    <NotFetchedYet problem={problem} waitText="Fetching this entry…" skeleton={<NoteSkeleton />} />
  );
}

export function NoteSkeleton() {
  return (
    <div className="page-column pt-4">
      <Skeleton className="mb-3 h-5 w-40" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
