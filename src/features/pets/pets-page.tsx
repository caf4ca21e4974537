import { Link, useElementScrollRestoration } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import Plus from 'lucide-react/icons/plus';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { whyNotFetched } from '../../data/sync-problem.ts';
import { useFetchedOnce } from '../../data/queries/use-fetched-once.ts';
import { useColumnCount } from '../../lib/dom/column-count.ts';
import { syncActivityAtom } from '../../platform/auth/session.ts';
import { releaseIdleWork } from '../../platform/when-idle.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFetchedYet } from '../../ui/not-fetched-yet.tsx';
import { PawMark } from '../../ui/paw-mark.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PetCard } from './pet-card.tsx';
import { usePets } from './use-pets.ts';

const gridStyle = 'grid grid-cols-1 gap-3';

const scrollId = 'dogs';

/**
 * Restores the scroll position with the first dogs. The router restores it too early, before there are rows to scroll.
 */
function useFoundAgain(isFilled: boolean): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  const [left] = useState(useElementScrollRestoration({ id: scrollId }));
  useLayoutEffect(() => {
    if (isFilled && left && ref.current !== null) ref.current.scrollTop = left.scrollY;
  }, [isFilled, left]);
  return ref;
}

export function PetsPage() {
  const pets = usePets();
  const isFetched = useFetchedOnce();
  const problem = whyNotFetched(useAtomValue(syncActivityAtom));
  const isEmpty = pets !== undefined && pets.length === 0;
  const isLoaded = pets !== undefined;
  const ref = useFoundAgain(isLoaded);
  useEffect(() => {
    if (isLoaded) releaseIdleWork();
  }, [isLoaded]);
  const isBeginning = isEmpty && isFetched;
  // Beside the page, the column with all dogs has the same link.
  const hasRail = useColumnCount() > 1 && !isEmpty;
  const canAdd = isLoaded && !hasRail;
  return (
    <>
      <div
        ref={ref}
        data-scroll-restoration-id={scrollId}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain short:min-h-40"
      >
        <div className="page-column flex flex-1 flex-col pt-3 pb-4">
          {pets === undefined && <PetSkeletons />}
          {isBeginning && <NoPets />}
          {isEmpty && !isFetched && (
            <NotFetchedYet
              problem={problem}
              waitText="Fetching your dogs…"
              skeleton={<PetSkeletons />}
            />
          )}
          {pets !== undefined && pets.length > 0 && (
            <ul role="list" aria-label="Dogs" className={gridStyle}>
              {pets.map((pet) => (
                <PetCard key={pet.id} pet={pet} />
              ))}
            </ul>
          )}
        </div>
      </div>
      {canAdd && <AddPet isBeginning={isBeginning} isPrimary={isBeginning || !isEmpty} />}
    </>
  );
}

interface AddPetProps {
  readonly isBeginning: boolean;
  readonly isPrimary: boolean;
}

/** One link, whatever it says: a press is not lost when the first fetch ends under the finger. */
function AddPet({ isBeginning, isPrimary }: AddPetProps) {
  return (
    <div className="fade-above flex flex-none justify-center px-4 pt-1 pb-[max(1rem,env(safe-area-inset-bottom))]">
      <Link
        to="/pets/new"
        className={`${buttonStyle(isPrimary ? 'primary' : 'quiet')} min-h-14 px-6 text-lg`}
      >
        <Plus aria-hidden size={22} />
        {isBeginning ? 'Get started' : 'Add dog'}
      </Link>
    </div>
  );
}

function NoPets() {
  return (
    <EmptyState
      sentence="Every dog deserves a journal. Begin with a name."
      picture={<PawMark size={56} className="text-moss" />}
    />
  );
}

function PetSkeletons() {
  return (
    <div className={gridStyle}>
      {['first', 'second', 'third'].map((key) => (
        <div key={key} className="flex items-center gap-4 rounded-card bg-card p-4">
          <Skeleton className="size-14 rounded-full" />
          <div className="flex-1">
            <Skeleton className="mb-2 h-5 w-32" />
            <Skeleton className="h-4 w-48" />
          </div>
        </div>
      ))}
    </div>
  );
}
