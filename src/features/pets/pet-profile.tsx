import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useMemo, type ReactNode } from 'react';
import type { PetRow } from '../../../schemas/document.ts';
import { useData } from '../../data/data-context.ts';
import { whyNotFetched } from '../../data/sync-problem.ts';
import { useFetchedOnce } from '../../data/use-fetched-once.ts';
import { classNames } from '../../lib/class-names.ts';
import { useDocumentTitle } from '../../lib/document-title.ts';
import { isHeadingFoldedAtom } from '../../lib/header-state.ts';
import { useLive } from '../../lib/live.ts';
import { useToday } from '../../lib/now.ts';
import { syncActivityAtom } from '../../platform/session.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InitialPicture } from '../../ui/initial-picture.tsx';
import { NotFetchedYet } from '../../ui/not-fetched-yet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { petFacts } from './pet-facts.ts';

export interface PetProfileProps {
  readonly petId: string;
  /** The dog's journal. */
  readonly children: ReactNode;
}

export function PetProfile({ petId, children }: PetProfileProps) {
  const { queries } = useData();
  const pet = useLive(useMemo(() => queries.pet(petId), [queries, petId]));
  useDocumentTitle(pet === null ? notHere : pet?.name);
  if (pet === undefined) return <HeadingSkeleton />;
  if (pet === null) return <UnknownPet />;
  return (
    <>
      <ProfileHeading pet={pet} />
      {children}
    </>
  );
}

function ProfileHeading({ pet }: { readonly pet: PetRow }) {
  const facts = petFacts(pet, useToday());
  const name = pet.name ?? '';
  const isFolded = useAtomValue(isHeadingFoldedAtom);
  return (
    <div className="mx-auto flex w-full max-w-journal flex-none items-center gap-4 px-4 pb-3">
      <InitialPicture name={name} id={pet.id} shape={isFolded ? 'folded' : 'large'} />
      <div className="min-w-0">
        <h1
          dir="auto"
          className={classNames(
            'break-words transition-all',
            isFolded ? 'line-clamp-1 text-xl' : 'line-clamp-2 text-3xl',
          )}
        >
          {name}
        </h1>
        {facts !== '' && !isFolded && <p className="text-ink-soft">{facts}</p>}
      </div>
    </div>
  );
}

function HeadingSkeleton() {
  return (
    <div className="mx-auto flex w-full max-w-journal items-center gap-4 px-4 pb-3">
      <Skeleton className="size-20" />
      <Skeleton className="h-8 w-40" />
    </div>
  );
}

const notHere = 'This dog is not on this device';

function UnknownPet() {
  const isFetched = useFetchedOnce();
  const problem = whyNotFetched(useAtomValue(syncActivityAtom));
  if (!isFetched) {
    return (
      <NotFetchedYet
        problem={problem}
        waitText="Fetching this dog…"
        skeleton={<HeadingSkeleton />}
      />
    );
  }
  return (
    <EmptyState sentence={notHere} heading="h1">
      <Link to="/pets" className={buttonStyle('primary')}>
        My Dogs
      </Link>
    </EmptyState>
  );
}
