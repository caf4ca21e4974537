import { Link } from '@tanstack/react-router';
import type { NamedPet } from '../../data/queries.ts';
import { useToday } from '../../lib/now.ts';
import { InitialPicture } from '../../ui/initial-picture.tsx';
import { petFacts } from './pet-facts.ts';

export function DogCard({ pet }: { readonly pet: NamedPet }) {
  const facts = petFacts(pet, useToday());
  return (
    <li>
      <Link
        to="/pets/$petId/profile"
        params={{ petId: pet.id }}
        className="flex h-full items-center gap-4 rounded-card bg-card p-4 transition-colors hover:bg-card-strong"
      >
        <InitialPicture name={pet.name} id={pet.id} shape="medium" />
        <div className="min-w-0 flex-1">
          <h2 className="text-xl break-words">{pet.name}</h2>
          {facts !== '' && <p className="text-ink-soft">{facts}</p>}
          {pet.description !== undefined && pet.description !== '' && (
            <p className="mt-1.5 line-clamp-2 break-words">{pet.description}</p>
          )}
        </div>
      </Link>
    </li>
  );
}
