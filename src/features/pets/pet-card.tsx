import { Link, useNavigate } from '@tanstack/react-router';
import type { NamedPet } from '../../data/queries/queries.ts';
import { useToday } from '../../lib/dates/now.ts';
import { ActionsMenu } from '../../ui/menus/actions-menu.tsx';
import { petActions } from './pet-actions.ts';
import { petFacts } from './pet-facts.ts';
import { PetPicture } from './picture/pet-picture.tsx';

export function PetCard({ pet }: { readonly pet: NamedPet }) {
  const facts = petFacts(pet, useToday());
  const navigate = useNavigate();
  const params = { petId: pet.id };
  const actions = petActions(pet).map(({ to, ...action }) => ({
    ...action,
    // The menu has no history entry, so the action leads one step back.
    onSelect: () => void navigate({ to, params, state: { stepsBack: 1 } }),
  }));
  return (
    <li className="@container relative flex items-center rounded-card bg-card transition-colors hover:bg-card-strong">
      <Link
        to="/pets/$petId/profile"
        params={params}
        className="flex h-full min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2 rounded-card p-4"
      >
        <PetPicture pet={pet} shape="medium" />
        {/* With large text it gets a line of its own. */}
        <div className="min-w-[min(7rem,100%)] flex-1 @max-[18rem]:basis-full">
          <h2 className="text-xl wrap-anywhere">
            <bdi>{pet.fields.name}</bdi>
          </h2>
          {facts !== '' && <p className="text-ink-soft">{facts}</p>}
          {pet.fields.description !== undefined && pet.fields.description !== '' && (
            <p dir="auto" className="mt-1.5 line-clamp-2 wrap-anywhere">
              {pet.fields.description}
            </p>
          )}
        </div>
      </Link>
      {/* There it stands beside the picture instead, so that the line is whole. */}
      <div className="top-4 right-0 mr-2 @max-[18rem]:absolute">
        <ActionsMenu label={`Actions for ${pet.fields.name}`} actions={actions} />
      </div>
    </li>
  );
}
