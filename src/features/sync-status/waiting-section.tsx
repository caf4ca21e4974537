import type { Entry } from '../../../schemas/documents/document.ts';
import { isParked } from '../../../schemas/local/outbox-job.ts';
import { holdsEntriesBack, waitsAlone } from '../../../schemas/local/unsent-items.ts';
import { waitingFileNote } from '../../data/files/file-copy.ts';
import type { NamedPet, SyncOverview } from '../../data/queries/queries.ts';
import { countText } from '../../lib/text/count-text.ts';
import { useIsOnline } from '../../platform/connection.ts';
import { useNow } from '../../lib/dates/now.ts';
import { entryText, fileText, petText, waitsForPet, whereabouts } from './item-copy.ts';
import { SheetItem } from './sheet-item.tsx';
import { SheetSection } from './sheet-section.tsx';

export interface WaitingSectionProps {
  readonly overview: SyncOverview;
  /** All dogs of the owner. */
  readonly pets: readonly NamedPet[];
}

export function WaitingSection({ overview, pets }: WaitingSectionProps) {
  const nowMs = useNow();
  const isOnline = useIsOnline();
  const { waitingPets, waitingEntries, waitingCount } = overview;
  const noteOf = ({ id, petId }: Entry): string | undefined => {
    if (overview.parkedPets.some((pet) => pet.id === petId && holdsEntriesBack(pet)))
      return waitsForPet;
    const job = overview.files?.find((file) => file.entryId === id && !isParked(file));
    return job && waitingFileNote(job, isOnline);
  };
  const entryIds = [...waitingEntries, ...overview.parkedEntries].map(({ id }) => id);
  const files = overview.files?.filter((job) => waitsAlone(entryIds, job)) ?? [];
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
          note={noteOf(entry)}
        />
      ))}
      {files.map((job) => (
        <SheetItem key={job.id} text={fileText(job, pets)} note={waitingFileNote(job, isOnline)} />
      ))}
      {unlisted > 0 && <SheetItem text={`and ${countText(unlisted, 'other')}`} />}
    </SheetSection>
  );
}
