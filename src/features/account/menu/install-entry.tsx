import { useAtomValue } from 'jotai';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { installWayAtom } from '../../../platform/install/install-offer.ts';
import { keepFocus } from '../../../lib/dom/keep-focus.ts';
import { InstallSteps } from './install-steps.tsx';

/** The hash of the address that opens the steps at once. */
const stepsHash = '#install';

export interface InstallEntryProps {
  readonly className: string;
  readonly isOpenedByAddress?: boolean;
}

/**
 * A menu entry that appears only where the app can be installed, and is not. It comes late and leaves when it is pressed,
 * so it is the last thing in the menu: no other entry takes its place under a finger.
 */
export function InstallEntry({ className, isOpenedByAddress = false }: InstallEntryProps) {
  const way = useAtomValue(installWayAtom);
  const [areStepsOpen, setAreStepsOpen] = useState(
    () => isOpenedByAddress && location.hash === stepsHash,
  );
  if (way === null) return null;
  return (
    <>
      <button
        ref={keepFocus}
        type="button"
        className={className}
        onClick={() => {
          if (way.kind === 'by-hand') setAreStepsOpen(true);
          else void way.ask();
        }}
      >
        <Download aria-hidden size={22} className="text-moss" />
        Install app
      </button>
      {way.kind === 'by-hand' && areStepsOpen && (
        <InstallSteps onClose={() => setAreStepsOpen(false)} />
      )}
    </>
  );
}
