import { Link } from '@tanstack/react-router';
import { useMediaQuery } from '../../lib/media-query.ts';
import { PetPicture } from './pet-picture.tsx';
import { usePets } from './use-pets.ts';

/** The dogs beside a dog's own pages, where there is room for both. */
export function DogRail() {
  return useMediaQuery('(min-width: 900px)') ? <Rail /> : null;
}

function Rail() {
  const pets = usePets();
  return (
    <nav aria-label="Dogs" className="w-72 flex-none overflow-y-auto px-3 pb-4">
      <ul role="list" className="flex flex-col gap-1">
        {pets?.map((pet) => (
          <li key={pet.id}>
            <Link
              to="/pets/$petId/profile"
              params={{ petId: pet.id }}
              className="flex min-h-14 items-center gap-3 rounded-card px-3 py-2 hover:bg-card-strong data-[status=active]:bg-card-strong"
            >
              <PetPicture pet={pet} shape="small" />
              <span
                dir="auto"
                className="line-clamp-2 min-w-0 font-serif text-lg leading-tight wrap-anywhere"
              >
                {pet.name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
