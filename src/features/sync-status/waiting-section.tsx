import type { SyncOverview } from '../../data/queries.ts';
import { countText } from '../../lib/count-text.ts';
import { entryText, petText } from './item-words.ts';
import { SheetItem } from './sheet-item.tsx';
import { SheetSection } from './sheet-section.tsx';

export function WaitingSection({ overview }: { readonly overview: SyncOverview }) {
  const { waitingPets, waitingEntries, waitingCount } = overview;
  const unlisted = waitingCount - waitingPets.length - waitingEntries.length;
  if (waitingCount === 0) return null;
  return (
    <SheetSection heading={`${String(waitingCount)} waiting to be sent`}>
      {waitingPets.map((pet) => (
        <SheetItem key={pet.id} text={petText(pet)} />
      ))}
      {waitingEntries.map((entry) => (
        <SheetItem key={entry.id} text={entryText(entry)} />
      ))}
      {unlisted > 0 && <SheetItem text={`and ${countText(unlisted, 'other')}`} />}
    </SheetSection>
  );
}
