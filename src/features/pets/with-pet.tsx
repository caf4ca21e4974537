import { useMemo, type ReactNode } from 'react';
import type { Pet } from '../../../schemas/documents/document.ts';
import { useData } from '../../data/data-context.ts';
import { useLive } from '../../lib/async/live.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PetPicture } from './picture/pet-picture.tsx';
import { UnknownPet } from './unknown-pet.tsx';

export interface WithPetProps {
  readonly petId: string;
  readonly children: (pet: Pet) => ReactNode;
}

/** Renders a page about one dog, once the dog is read. */
export function WithPet({ petId, children }: WithPetProps) {
  const { queries } = useData();
  const pet = useLive(useMemo(() => queries.pet(petId), [queries, petId]));
  if (pet === undefined) return <PetSkeleton />;
  if (pet === null) return <UnknownPet petId={petId} skeleton={<PetSkeleton />} />;
  return children(pet);
}

/** Shows the dog that a page is about. */
export function PetLine({ pet }: { readonly pet: Pet }) {
  const name = pet.fields.name ?? '';
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <PetPicture pet={pet} shape="small" />
      <span className="min-w-[min(7rem,100%)] flex-1 font-serif text-xl leading-tight wrap-anywhere">
        <bdi>{name}</bdi>
      </span>
    </p>
  );
}

/** The {@link PetLine} of a dog by its id, for pages that render without it. */
export function PetLineById({ petId }: { readonly petId: string }) {
  const { queries } = useData();
  const pet = useLive(useMemo(() => queries.pet(petId), [queries, petId]));
  if (pet === undefined) return <Skeleton className="h-12 w-40" />;
  return pet && <PetLine pet={pet} />;
}

function PetSkeleton() {
  return (
    <div aria-hidden="true" className="page-column flex flex-col gap-6 pt-4">
      <Skeleton className="h-10 w-40" />
      <Skeleton className="h-12 w-full" />
    </div>
  );
}
