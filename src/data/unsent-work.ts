import { firstValue } from '../lib/async/first-value.ts';
import { readDrafts } from '../lib/draft.ts';
import type { Live } from '../lib/async/live.ts';
import { createObservable } from '../lib/async/observable.ts';
import { countText, listText } from '../lib/text/count-text.ts';
import type { Data } from './data-context.ts';
import type { VoiceFiles } from './files/voice-files.ts';
import type { SyncOverview } from './queries/queries.ts';

/** The number of items that only this device has, and that erasing its data would lose. */
export interface UnsentWork {
  readonly changes: number;
  readonly otherVersions: number;
  /** The number of recordings that are in progress, or could not be assembled. */
  readonly unfinished: number;
  /** The number of texts that are typed and not yet saved as notes. */
  readonly drafts: number;
}

/** The part of the files that finds unfinished recordings. */
interface RecoverableFiles {
  readonly load: () => Promise<{ readonly voice: Pick<VoiceFiles, 'recover'> }>;
}

/** @param unfinished the number of unfinished recordings, which no query counts. */
export function countUnsentWork(
  overview: SyncOverview,
  owner: string,
  unfinished: number,
): UnsentWork {
  const { waitingCount, parkedCount, leavingCount, versions } = overview;
  const changes = waitingCount + parkedCount + leavingCount;
  return { changes, otherVersions: versions.length, unfinished, drafts: readDrafts(owner).length };
}

/**
 * Assembles the recordings that were interrupted since the files were opened, so that they are counted as files.
 * @returns the number of those that stay unfinished. @throws if the files cannot be loaded or read.
 */
async function readUnfinished(files: RecoverableFiles): Promise<number> {
  return (await files.load()).voice.recover();
}

/**
 * Watches the number of unfinished recordings. No query counts them, so they are read again with each change of the
 * overview.
 */
export function watchUnfinished(
  overview: Live<SyncOverview>,
  files: RecoverableFiles,
): Live<number> {
  const read = (): void => {
    // Their number stays as it is until they can be read.
    readUnfinished(files).then(live.set, () => undefined);
  };
  const live = createObservable<number | undefined>(undefined, () => {
    read();
    return overview.subscribe(read);
  });
  return live;
}

/** Counts the unsent work, and waits for the files to be read. @throws if the files cannot be loaded or read. */
export async function readUnsentWork(
  data: Pick<Data, 'uid' | 'queries'> & { readonly files: RecoverableFiles },
): Promise<UnsentWork> {
  const unfinished = await readUnfinished(data.files);
  const overview = await firstValue(data.queries.syncOverview(), ({ files }) => files !== null);
  return countUnsentWork(overview, data.uid, unfinished);
}

export function hasUnsent({ changes, otherVersions, unfinished, drafts }: UnsentWork): boolean {
  return changes + otherVersions + unfinished + drafts > 0;
}

export function unsentText({ changes, otherVersions, unfinished, drafts }: UnsentWork): string {
  const parts = [
    changes > 0 && `${countText(changes, 'change')} not sent yet`,
    otherVersions > 0 && `${countText(otherVersions, 'other version')} kept here`,
    unfinished > 0 && `${countText(unfinished, 'recording')} not finished`,
    drafts > 0 && `${countText(drafts, 'draft')} not finished`,
  ];
  return parts.filter((part) => part !== false).join(' and ');
}

/** Lists the data that only this device has; '' if there is none, null until it is known. */
export function unsentSummary(
  overview: SyncOverview | undefined,
  owner: string,
  unfinished: number,
): string | null {
  if (overview === undefined || overview.files === null) return null;
  const { waitingCount, parkedCount, placingCount, files, versions } = overview;
  const { waitingPets, parkedPets } = overview;
  const pets = waitingPets.length + parkedPets.length;
  const recordings = files.filter(({ kind }) => kind === 'voice-note').length;
  return listText([
    [waitingCount + parkedCount - placingCount - files.length - pets, 'note'],
    [recordings, 'recording'],
    [files.length - recordings, 'picture'],
    [placingCount, 'restored or moved file'],
    [pets, 'change to a dog', 'changes to dogs'],
    [versions.length, 'other version'],
    [unfinished, 'recording that is not finished', 'recordings that are not finished'],
    [readDrafts(owner).length, 'draft that is not saved', 'drafts that are not saved'],
  ]);
}
