import { Link, useParams } from '@tanstack/react-router';
import { useSetAtom } from 'jotai';
import Keyboard from 'lucide-react/icons/keyboard';
import { Suspense } from 'react';
import { MenuButton } from '../features/account/menu/menu-button.tsx';
import { PetRail } from '../features/pets/pet-rail.tsx';
import { PetAside } from '../features/pets/pet-aside.tsx';
import { SearchLink } from '../features/search/search-link.tsx';
import { lazyPart } from '../lib/react/lazy-part.tsx';
import { areShortcutsShownAtom } from '../lib/react/shortcuts-state.ts';
import { PawMark } from '../ui/paw-mark.tsx';

const months = lazyPart(
  async () => (await import('../features/journal/calendar/month-panel.lazy.tsx')).MonthPanel,
);

/** The column to the left of every page of an owner. */
export function LeftColumn() {
  return (
    <div className="side-column ml-auto gap-2">
      <nav aria-label="PawPals" className="flex flex-none flex-wrap items-center gap-1">
        <MenuButton />
        <Link
          to="/pets"
          className="inline-flex min-h-11 items-center gap-2.5 px-1 font-serif text-xl text-moss"
        >
          <PawMark size={24} />
          PawPals
        </Link>
      </nav>
      <PetRail />
    </div>
  );
}

/** The column to the right of every page of an owner. */
export function RightColumn() {
  const { petId } = useParams({ strict: false });
  return (
    <aside aria-label="Beside the page" className="side-column mr-auto gap-6">
      <SearchLink shape="row" />
      {petId !== undefined && (
        <PetAside key={petId} petId={petId}>
          <Suspense>
            <months.Component petId={petId} />
          </Suspense>
        </PetAside>
      )}
      <ShortcutsButton />
    </aside>
  );
}

function ShortcutsButton() {
  const setShown = useSetAtom(areShortcutsShownAtom);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className="mt-auto flex min-h-11 flex-none items-center gap-3 rounded-full px-3 text-left text-ink-soft transition-colors hover:bg-card-strong"
      onClick={() => setShown(true)}
    >
      <Keyboard aria-hidden size={20} />
      Keyboard shortcuts
    </button>
  );
}
