import { firstValue } from '../lib/async/first-value.ts';
import { readDrafts } from '../lib/draft.ts';
import { countText, listText } from '../lib/text/count-text.ts';
import type { Data } from './data-context.ts';
import type { SyncOverview } from './queries/queries.ts';

/** The number of items that only this device has, and that erasing its data would lose. */
export interface UnsentWork {
  readonly changes: number;
  readonly otherVersions: number;
  /** The number of texts that are typed and not yet saved as notes. */
  readonly drafts: number;
}

export function countUnsentWork(overview: SyncOverview, owner: string): UnsentWork {
  const { waitingCount, parkedCount, leavingCount, versions } = overview;
  const changes = waitingCount + parkedCount + leavingCount;
  return { changes, otherVersions: versions.length, drafts: readDrafts(owner).length };
}

/** Counts the unsent work, and waits for the files to be read. @throws if the code of the files cannot be loaded. */
export async function readUnsentWork(
  data: Pick<Data, 'uid' | 'queries'> & { readonly files: { load: () => Promise<unknown> } },
): Promise<UnsentWork> {
  await data.files.load();
  const overview = await firstValue(data.queries.syncOverview(), ({ files }) => files !== null);
  return countUnsentWork(overview, data.uid);
}

export function hasUnsent({ changes, otherVersions, drafts }: UnsentWork): boolean {
  return changes + otherVersions + drafts > 0;
}

export function unsentText({ changes, otherVersions, drafts }: UnsentWork): string {
  const parts = [
    changes > 0 && `${countText(changes, 'change')} not sent yet`,
    otherVersions > 0 && `${countText(otherVersions, 'other version')} kept here`,
    drafts > 0 && `${countText(drafts, 'draft')} not finished`,
  ];
  return parts.filter((part) => part !== false).join(' and ');
}

/** Lists the data that only this device has; '' if there is none, null until it is known. */
export function unsentSummary(overview: SyncOverview | undefined, owner: string): string | null {
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
    [readDrafts(owner).length, 'draft that is not saved', 'drafts that are not saved'],
  ]);
}
