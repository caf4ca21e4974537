import type { SyncOverview } from '../../data/queries.ts';
import { listText } from '../../lib/count-text.ts';

/** What only this device has, in words; '' if that is nothing, null until it is known. */
export function onlyHereText(overview: SyncOverview | undefined): string | null {
  if (overview === undefined || overview.files === null) return null;
  const { waitingCount, parkedCount, waitingPets, parkedPets, files, losers } = overview;
  const dogs = waitingPets.length + parkedPets.length;
  const recordings = files.filter(({ kind }) => kind === 'voice-note').length;
  return listText([
    [waitingCount + parkedCount - files.length - dogs, 'note'],
    [recordings, 'recording'],
    [files.length - recordings, 'picture'],
    [dogs, 'change to a dog', 'changes to dogs'],
    [losers.length, 'other version'],
  ]);
}
