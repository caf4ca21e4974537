import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useMemo, useState, type ReactNode } from 'react';
import { useData } from '../../data/data-context.ts';
import { whyNotFetched } from '../../data/sync-problem.ts';
import { useFetchedOnce } from '../../data/queries/use-fetched-once.ts';
import { useLive } from '../../lib/async/live.ts';
import { readDraft, writeDraft } from '../../lib/draft.ts';
import { useAsking } from '../../lib/react/use-asking.ts';
import { useDocumentTitle } from '../../lib/dom/document-title.ts';
import { syncActivityAtom } from '../../platform/auth/session.ts';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFetchedYet } from '../../ui/not-fetched-yet.tsx';

export interface UnknownPetProps {
  readonly petId: string;
  readonly skeleton: ReactNode;
  /** The element of the sentence: a heading, and the title of the tab, on a page whose header has no title. */
  readonly heading?: 'h1' | 'p';
}

/** @returns undefined for a dog that may not be fetched yet. */
function sentenceOf(isDeleted: boolean | undefined, isFetched: boolean): string | undefined {
  if (isDeleted === true) return 'This dog was deleted';
  return isFetched ? 'This dog is not on this device' : undefined;
}

/** Replaces a dog that this device does not have: never fetched, deleted, or another owner's. */
export function UnknownPet({ petId, skeleton, heading = 'p' }: UnknownPetProps) {
  const { queries } = useData();
  const isDeleted = useLive(useMemo(() => queries.isPetDeleted(petId), [queries, petId]));
  const isFetched = useFetchedOnce();
  const problem = whyNotFetched(useAtomValue(syncActivityAtom));
  const sentence = sentenceOf(isDeleted, isFetched);
  useDocumentTitle(heading === 'h1' ? sentence : undefined);
  if (isDeleted === undefined) return skeleton;
  if (sentence === undefined) {
    return <NotFetchedYet problem={problem} waitText="Fetching this dog…" skeleton={skeleton} />;
  }
  return (
    <EmptyState sentence={sentence} heading={heading}>
      {isDeleted && <LeftDraft petId={petId} />}
      <Link to="/pets" className={buttonStyle('primary')}>
        My Dogs
      </Link>
    </EmptyState>
  );
}

/** The text in the box of a dog's journal when the dog was deleted on another device. No other page shows it. */
function LeftDraft({ petId }: Pick<UnknownPetProps, 'petId'>) {
  const { uid } = useData();
  const [text, setText] = useState(() => readDraft({ owner: uid, name: petId }));
  const { isAsking, handlers } = useAsking(() => {
    writeDraft({ owner: uid, name: petId }, '');
    setText('');
  });
  if (text.trim() === '') return null;
  return (
    <section aria-label="Your draft" className="flex w-full max-w-sm flex-col gap-3">
      <p className="text-ink-soft">You had begun a note. Copy it if you want to keep it:</p>
      <p
        dir="auto"
        className="rounded-card bg-card px-4 py-3 text-start whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </p>
      <Button className="self-center" kind={isAsking ? 'danger' : 'quiet'} {...handlers}>
        {isAsking ? 'Really discard' : 'Discard'}
      </Button>
    </section>
  );
}
