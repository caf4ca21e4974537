import { Link } from '@tanstack/react-router';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { classNames } from '../../lib/dom/class-names.ts';
import { petActions } from './pet-actions.ts';
import { PetLine, WithPet } from './with-pet.tsx';

const rowStyle =
  'flex min-h-14 items-center gap-4 rounded-card bg-card px-4 py-3 text-lg transition-colors hover:bg-card-strong';

export function PetActionsPage({ petId }: { readonly petId: string }) {
  return (
    <WithPet petId={petId}>
      {(pet) => (
        <div className="flex-1 overflow-y-auto">
          <div className="page-column grid grid-cols-1 gap-6 pt-4 pb-8">
            <PetLine pet={pet} />
            <ul role="list" aria-label="Actions" className="grid grid-cols-1 gap-3">
              {petActions(pet).map(({ label, icon: Icon, tone, to }) => (
                <li key={to}>
                  <Link
                    to={to}
                    params={{ petId }}
                    className={classNames(rowStyle, tone === 'danger' && 'text-danger')}
                  >
                    <Icon aria-hidden size={22} className={tone === 'danger' ? '' : 'text-moss'} />
                    <span className="min-w-0 flex-1">{label}</span>
                    <ChevronRight aria-hidden size={20} className="text-ink-soft" />
                  </Link>
                </li>
              ))}
            </ul>
            {/* Cards cut it off; the third column has it too. */}
            <p
              dir="auto"
              className="whitespace-pre-line wrap-anywhere empty:hidden min-[64rem]:hidden"
            >
              {pet.fields.description}
            </p>
          </div>
        </div>
      )}
    </WithPet>
  );
}
