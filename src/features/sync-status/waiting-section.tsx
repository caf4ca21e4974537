import { isParked } from '../../../schemas/outbox-job.ts';
import { waitingFileNote } from '../../data/file-words.ts';
import type { NamedPet, SyncOverview } from '../../data/queries.ts';
import { countText } from '../../lib/count-text.ts';
import { useNow } from '../../lib/now.ts';
import { entryText, fileText, petText, whereabouts } from './item-words.ts';
import { SheetItem } from './sheet-item.tsx';
import { SheetSection } from './sheet-section.tsx';

export interface WaitingSectionProps {
  readonly overview: SyncOverview;
  /** The dogs there are. */
  readonly pets: readonly NamedPet[];
}

const waitsForDog = 'It waits for its dog, which could not be sent.';

export function WaitingSection({ overview, pets }: WaitingSectionProps) {
  const nowMs = useNow();
  const { waitingPets, waitingEntries, waitingCount } = overview;
  const parkedIds = new Set(overview.parkedPets.map(({ id }) => id));
  const files = overview.files?.filter((job) => !isParked(job)) ?? [];
  const unlisted = waitingCount - waitingPets.length - waitingEntries.length - files.length;
  if (waitingCount === 0) return null;
  return (
    <SheetSection heading={`${String(waitingCount)} waiting to be sent`}>
      {waitingPets.map((pet) => (
        <SheetItem key={pet.id} text={petText(pet)} />
      ))}
      {waitingEntries.map((entry) => (
        <SheetItem
          key={entry.id}
          text={entryText(entry)}
          facts={whereabouts(entry, pets, nowMs)}
          {...(parkedIds.has(entry.petId) && { note: waitsForDog })}
        />
      ))}
      {files.map((job) => (
        <SheetItem key={job.id} text={fileText(job, pets)} note={waitingFileNote(job)} />
      ))}
      {unlisted > 0 && <SheetItem text={`and ${countText(unlisted, 'other')}`} />}
    </SheetSection>
  );
}
