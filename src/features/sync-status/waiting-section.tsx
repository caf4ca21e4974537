import type { SyncOverview } from '../../data/queries.ts';
import { countText } from '../../lib/count-text.ts';
import { entryPreview, petPreview } from './item-words.ts';
import { SheetItem, SheetSection } from './sheet-section.tsx';

export function WaitingSection({ overview }: { readonly overview: SyncOverview }) {
  const { waitingPets, waitingEntries, waitingCount } = overview;
  const unlisted = waitingCount - waitingPets.length - waitingEntries.length;
  if (waitingCount === 0) return null;
  return (
    <SheetSection heading={`${String(waitingCount)} waiting to be sent`}>
      {waitingPets.map((pet) => (
        <SheetItem key={pet.id} text={petPreview(pet)} />
      ))}
      {waitingEntries.map((entry) => (
        <SheetItem key={entry.id} text={entryPreview(entry)} />
      ))}
      {unlisted > 0 && <SheetItem text={`and ${countText(unlisted, 'other')}`} />}
    </SheetSection>
  );
}
