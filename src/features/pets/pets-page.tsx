import { Link, useElementScrollRestoration } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { PawPrint, Plus } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { whyNotFetched } from '../../data/sync-problem.ts';
import { useFetchedOnce } from '../../data/use-fetched-once.ts';
import { syncActivityAtom } from '../../platform/session.ts';
import { releaseIdleWork } from '../../platform/when-idle.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NotFetchedYet } from '../../ui/not-fetched-yet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DogCard } from './dog-card.tsx';
import { usePets } from './use-pets.ts';

const gridStyle = 'grid grid-cols-1 gap-3 min-[700px]:grid-cols-2';

const scrollId = 'dogs';

/** The router puts the list where it was left before there are dogs to scroll by: it is done again with the first. */
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
  return (
    <div
      ref={ref}
      data-scroll-restoration-id={scrollId}
      className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain"
    >
      <div className="mx-auto flex w-full max-w-4xl flex-1 flex-col px-4 pt-2 pb-28">
        {pets === undefined && <DogSkeletons />}
        {isEmpty && isFetched && <NoDogs />}
        {isEmpty && !isFetched && (
          <NotFetchedYet
            problem={problem}
            waitText="Fetching your dogs…"
            skeleton={<DogSkeletons />}
          />
        )}
        {pets !== undefined && pets.length > 0 && (
          <ul role="list" aria-label="Dogs" className={gridStyle}>
            {pets.map((pet) => (
              <DogCard key={pet.id} pet={pet} />
            ))}
          </ul>
        )}
      </div>
      <AddDog isPrimary={!isEmpty} />
    </div>
  );
}

function AddDog({ isPrimary }: { readonly isPrimary: boolean }) {
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 flex justify-center short:static pb-[max(1.25rem,env(safe-area-inset-bottom))]">
      <Link
        to="/pets/new"
        className={`${buttonStyle(isPrimary ? 'primary' : 'quiet')} pointer-events-auto min-h-14 px-6 text-lg`}
      >
        <Plus aria-hidden size={22} />
        Add dog
      </Link>
    </div>
  );
}

function NoDogs() {
  return (
    <EmptyState
      sentence="Every dog deserves a journal. Begin with a name."
      picture={<PawPrint aria-hidden size={56} className="text-moss" />}
    >
      <Link to="/pets/new" className={buttonStyle('primary')}>
        Get started
      </Link>
    </EmptyState>
  );
}

function DogSkeletons() {
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
