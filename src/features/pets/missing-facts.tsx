import { Link } from '@tanstack/react-router';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import type { Pet } from '../../../schemas/documents/document.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { usePictureUrl } from './picture/pet-picture.tsx';

const chipStyle =
  'inline-flex min-h-11 items-center gap-1 rounded-full border border-dashed border-field-line pr-3 pl-2 text-ink-soft hover:text-ink';

export interface MissingFactsProps {
  readonly pet: Pet;
  readonly onDismiss: () => void;
}

/**
 * Buttons for the facts that a profile lacks; nothing if it is complete. Saving returns here. In little room, or with
 * large text, the journal gets the room instead, because the menu of actions offers the same.
 */
export function MissingFacts({ pet, onDismiss }: MissingFactsProps) {
  const hasPicture = usePictureUrl(pet) || pet.fields.profilePicturePath !== undefined;
  const chips = [
    !hasPicture && (['Picture', 'change-profile-picture'] as const),
    pet.fields.breed === undefined && (['Breed', 'set-breed'] as const),
    pet.fields.dob === undefined && (['Birthday', 'set-dob'] as const),
  ].filter((chip) => chip !== false);
  if (chips.length === 0 || pet.code === 'newer-schema') return null;
  return (
    <div className="flex items-start gap-2 px-4 pb-3 @max-[21rem]:hidden [@media(height<=26rem)]:hidden">
      <ul role="list" aria-label="Not set yet" className="flex flex-1 flex-wrap gap-x-1.5 gap-y-2">
        {chips.map(([label, page]) => (
          <li key={page}>
            <Link
              to={`/pets/$petId/actions/${page}`}
              params={{ petId: pet.id }}
              state={{ stepsBack: 1 }}
              aria-label={`Add ${label}`}
              className={chipStyle}
            >
              <Plus aria-hidden size={16} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <IconButton
        label="Hide these"
        icon={X}
        className="-mr-2.5 text-ink-soft"
        onClick={onDismiss}
      />
    </div>
  );
}
