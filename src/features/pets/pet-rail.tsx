import { Link, useParams } from '@tanstack/react-router';
import Plus from 'lucide-react/icons/plus';
import { PetPicture } from './picture/pet-picture.tsx';
import { usePets } from './use-pets.ts';

const rowStyle =
  'flex min-h-14 items-center gap-3 rounded-card px-3 py-2 transition-colors hover:bg-card-strong aria-[current]:bg-card-strong';

/** The list of dogs beside every page, where there is room for both. It marks the dog of the page. */
export function PetRail() {
  const pets = usePets();
  const { petId } = useParams({ strict: false });
  if (pets === undefined || pets.length === 0) return null;
  return (
    <nav aria-label="Dogs">
      <ul role="list" className="flex flex-col gap-1">
        {pets.map((pet) => (
          <li key={pet.id}>
            <Link
              to="/pets/$petId/profile"
              params={{ petId: pet.id }}
              // On the profile itself, the value is "page" instead.
              aria-current={pet.id === petId ? 'true' : undefined}
              className={rowStyle}
            >
              <PetPicture pet={pet} shape="small" />
              <span className="line-clamp-2 min-w-0 font-serif text-lg leading-tight wrap-anywhere">
                <bdi>{pet.fields.name}</bdi>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/pets/new" className={`${rowStyle} mt-1 text-moss`}>
        <span className="inline-flex size-10 flex-none items-center justify-center">
          <Plus aria-hidden size={22} />
        </span>
        <span className="min-w-0 wrap-anywhere">Add dog</span>
      </Link>
    </nav>
  );
}
