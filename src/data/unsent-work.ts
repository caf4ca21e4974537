import { firstValue } from '../lib/async/first-value.ts';
import { readDrafts } from '../lib/draft.ts';
import type { Live } from '../lib/async/live.ts';
import { createObservable } from '../lib/async/observable.ts';
import { listText } from '../lib/text/count-text.ts';
import type { Data } from './data-context.ts';
import type { VoiceFiles } from './files/voice-files.ts';
import { combineLive } from './queries/live-query.ts';
import type { SyncOverview } from './queries/queries.ts';

/** The part of the files that finds unfinished recordings. */
interface RecoverableFiles {
  readonly load: () => Promise<{ readonly voice: Pick<VoiceFiles, 'recover'> }>;
}

type UnsentSources = Pick<Data, 'uid' | 'queries'> & { readonly files: RecoverableFiles };

/** The work that only this device has, and that erasing its data would lose. */
export interface Unsent {
  /** Lists it; '' if there is none. */
  readonly text: string;
  /** Whether some of it is sent by syncing; drafts, other versions and unfinished recordings are not. */
  readonly isSendable: boolean;
}

/**
 * Watches the number of unfinished recordings; null until they are read. No query counts them, so they are read again
 * with each change of the overview.
 */
function watchUnfinished(overview: Live<SyncOverview>, files: RecoverableFiles) {
  const read = (): void => {
    // Their number stays as it is until they can be read.
    files
      .load()
      .then(({ voice }) => voice.recover())
      .then(live.set, () => undefined);
  };
  const live = createObservable<number | null>(null, () => {
    read();
    return overview.subscribe(read);
  });
  return live;
}

/** @returns undefined until the files are read. @param unfinished null if it is unknown, which may hide that there is something. */
function unsentOf(
  overview: SyncOverview,
  owner: string,
  unfinished: number | null,
): Unsent | undefined {
  if (overview.files === null) return undefined;
  const { waitingCount, parkedCount, placingCount, leavingCount, files, versions } = overview;
  const changes = waitingCount + parkedCount;
  const pets = overview.waitingPets.length + overview.parkedPets.length;
  const recordings = files.filter(({ kind }) => kind === 'voice-note').length;
  const text = listText([
    [changes - placingCount - files.length - pets, 'note'],
    [recordings, 'recording'],
    [files.length - recordings, 'picture'],
    [placingCount, 'restored or moved file'],
    [pets, 'change to a dog', 'changes to dogs'],
    [leavingCount, 'deletion of a dog', 'deletions of dogs'],
    [versions.length, 'other version'],
    [unfinished ?? 0, 'recording that is not finished', 'recordings that are not finished'],
    [readDrafts(owner).length, 'draft that is not saved', 'drafts that are not saved'],
  ]);
  if (text === '' && unfinished === null) return undefined;
  return { text, isSendable: changes + leavingCount > 0 };
}

/** Watches the unsent work. Drafts are counted anew with each other change. */
export function watchUnsent({ uid, queries, files }: UnsentSources): Live<Unsent> {
  const overview = queries.syncOverview();
  const unfinished = watchUnfinished(overview, files);
  return combineLive({ overview, unfinished }, (read) =>
    unsentOf(read.overview, uid, read.unfinished),
  );
}

/** Lists the unsent work, and waits for the files to be read. @throws if the files cannot be loaded or read. */
export async function readUnsent({ uid, queries, files }: UnsentSources): Promise<string> {
  // A recording that was interrupted since the files were opened counts as a file.
  const unfinished = await (await files.load()).voice.recover();
  const overview = await firstValue(queries.syncOverview(), (read) => read.files !== null);
  return unsentOf(overview, uid, unfinished)?.text ?? '';
}
