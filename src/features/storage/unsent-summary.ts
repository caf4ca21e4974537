import type { SyncOverview } from '../../data/queries/queries.ts';
import { listText } from '../../lib/text/count-text.ts';

/** Lists the data that only this device has; '' if there is none, null until it is known. */
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
