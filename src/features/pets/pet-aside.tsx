import { Link } from '@tanstack/react-router';
import Pencil from 'lucide-react/icons/pencil';
import { useMemo, type ReactNode } from 'react';
import type { Pet } from '../../../schemas/documents/document.ts';
import { useData } from '../../data/data-context.ts';
import { ageText } from '../../lib/dates/age-text.ts';
import { dateText } from '../../lib/dates/entry-time-text.ts';
import { useLive } from '../../lib/async/live.ts';
import { useToday } from '../../lib/dates/now.ts';
import { textLinkStyle } from '../../ui/button-style.ts';
import { PetPicture } from './picture/pet-picture.tsx';

export interface PetAsideProps {
  readonly petId: string;
  /** The parts of the dog's journal below the details. */
  readonly children?: ReactNode;
}

/** The details of a dog beside its pages; nothing while this device does not have the dog. */
export function PetAside({ petId, children }: PetAsideProps) {
  const { queries } = useData();
  const pet = useLive(useMemo(() => queries.pet(petId), [queries, petId]));
  if (pet === undefined || pet === null) return null;
  return (
    <>
      <Details pet={pet} />
      {children}
    </>
  );
}

function Details({ pet }: { readonly pet: Pet }) {
  const {
    code,
    fields: { name = '', breed, dob, description = '' },
  } = pet;
  const today = useToday();
  return (
    <section aria-label={`Details of ${name}`} className="@container flex flex-col gap-4 px-3">
      <PetPicture pet={pet} shape="portrait" />
      {(breed !== undefined || dob !== undefined) && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 wrap-anywhere *:even:text-right [&_dt]:text-ink-soft">
          {breed !== undefined && <Fact name="Breed">{breed}</Fact>}
          {dob !== undefined && <Fact name="Age">{ageText(dob, today)}</Fact>}
          {dob !== undefined && <Fact name="Born">{dateText(dob)}</Fact>}
        </dl>
      )}
      {description !== '' && (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {description}
        </p>
      )}
      {code !== 'newer-schema' && (
        <Link
          to="/pets/$petId/actions/edit-details"
          params={{ petId: pet.id }}
          state={{ stepsBack: 1 }}
          className={`${textLinkStyle} gap-2 self-start`}
        >
          <Pencil aria-hidden size={18} />
          Edit Details
        </Link>
      )}
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
