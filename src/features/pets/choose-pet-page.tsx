import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useFetchedOnce } from '../../data/queries/use-fetched-once.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PetPicture } from './picture/pet-picture.tsx';
import { usePets } from './use-pets.ts';

export interface ChoosePetPageProps {
  /** The question above the list: "Whose journal is the note for?" */
  readonly question: string;
  readonly onChoose: (petId: string) => void;
  /** A preview of the shared item whose dog is chosen; nothing for other shortcuts. */
  readonly children?: ReactNode;
}

/** Asks for the dog of a shortcut. If there is only one, it is chosen at once. */
export function ChoosePetPage({ question, onChoose, children }: ChoosePetPageProps) {
  const pets = usePets();
  const isFetched = useFetchedOnce();
  const [only, ...others] = pets ?? [];
  const singleId = others.length === 0 ? only?.id : undefined;
  const choose = useEffectEvent(onChoose);

  useEffect(() => {
    if (singleId !== undefined && isFetched) choose(singleId);
  }, [singleId, isFetched]);

  if (pets === undefined || (singleId !== undefined && isFetched)) return <Skeletons />;
  if (pets.length === 0) {
    return (
      <EmptyState sentence="There is no dog on this device yet.">
        <Link to="/pets" replace className={buttonStyle('primary')}>
          My Dogs
        </Link>
      </EmptyState>
    );
  }
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="page-column grid grid-cols-1 gap-4 pt-4 pb-8">
        <h2 className="text-xl">{question}</h2>
        {children}
        <ul role="list" aria-label="Dogs" className="grid grid-cols-1 gap-3">
          {pets.map((pet) => (
            <li key={pet.id}>
              <button
                type="button"
                className="flex min-h-16 w-full flex-wrap items-center gap-x-4 gap-y-1 rounded-card bg-card px-4 py-3 text-left transition-colors hover:bg-card-strong"
                onClick={() => onChoose(pet.id)}
              >
                <PetPicture pet={pet} shape="small" />
                <span className="min-w-[min(7rem,100%)] flex-1 font-serif text-xl wrap-anywhere">
                  <bdi>{pet.fields.name}</bdi>
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Skeletons() {
  return (
    <div aria-busy="true" className="page-column grid gap-3 pt-4">
      <Skeleton className="h-16 w-full rounded-card" />
      <Skeleton className="h-16 w-full rounded-card" />
    </div>
  );
}
