import type { SyncOverview } from '../../data/queries/queries.ts';
import { listText } from '../../lib/text/count-text.ts';

/** What only this device has, in words; '' if that is nothing, null until it is known. */
export function unsentSummary(overview: SyncOverview | undefined): string | null {
  if (overview === undefined || overview.files === null) return null;
  const { waitingCount, parkedCount, waitingPets, parkedPets, files, versions } = overview;
  const pets = waitingPets.length + parkedPets.length;
  const recordings = files.filter(({ kind }) => kind === 'voice-note').length;
  return listText([
    [waitingCount + parkedCount - files.length - pets, 'note'],
    [recordings, 'recording'],
    [files.length - recordings, 'picture'],
    [pets, 'change to a dog', 'changes to dogs'],
    [versions.length, 'other version'],
  ]);
}
