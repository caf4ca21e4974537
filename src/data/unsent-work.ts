import { firstValue } from '../lib/async/first-value.ts';
import { readDrafts } from '../lib/draft.ts';
import type { Live } from '../lib/async/live.ts';
import { createObservable } from '../lib/async/observable.ts';
import { listText } from '../lib/text/count-text.ts';
import type { Data } from './data-context.ts';
import type { VoiceFiles } from './files/voice-files.ts';
import { combineLive } from './queries/live-query.ts';
import type { SharedItems } from './shared-items.ts';
import type { SyncOverview } from './queries/queries.ts';

/** The part of the files that finds unfinished recordings and unused shared items. */
interface RecoverableFiles {
  readonly load: () => Promise<{
    readonly voice: Pick<VoiceFiles, 'recover'>;
    readonly shared: Pick<SharedItems, 'list'>;
  }>;
}

/** The numbers of unfinished recordings and of shared items that no query counts. */
interface Uncounted {
  readonly unfinished: number;
  readonly shared: number;
}

type UnsentSources = Pick<Data, 'uid' | 'queries'> & { readonly files: RecoverableFiles };

/** The work that only this device has, and that erasing its data would lose. */
export interface Unsent {
  /** Lists it; '' if there is none. Of more than 500 documents, some deletions count as notes. */
  readonly text: string;
  /** Whether some of it is sent by syncing: nothing refused, and no drafts, other versions or unfinished recordings. */
  readonly isSendable: boolean;
  /** Whether an export has some of it. */
  readonly isExportable: boolean;
  /** Whether shared items are part of it, which have a page of their own. */
  readonly hasShared: boolean;
}

async function readUncounted(files: RecoverableFiles): Promise<Uncounted> {
  const { voice, shared } = await files.load();
  return { unfinished: await voice.recover(), shared: (await shared.list()).length };
}

/**
 * Watches the unfinished recordings and the shared items; null until they are read. They are read again with each change
 * of the overview.
 */
function watchUncounted(overview: Live<SyncOverview>, files: RecoverableFiles) {
  let askedCount = 0;
  let answeredTo = 0;
  const read = (): void => {
    askedCount += 1;
    const question = askedCount;
    const answer = (uncounted: Uncounted): void => {
      // An earlier question may be answered later.
      if (question < answeredTo) return;
      answeredTo = question;
      live.set(uncounted);
    };
    // Their numbers stay as they are until they can be read.
    readUncounted(files).then(answer, () => undefined);
  };
  const live = createObservable<Uncounted | null>(null, () => {
    read();
    return overview.subscribe(read);
  });
  return live;
}

/** @returns undefined until the files are read. @param uncounted null if it is unknown, which may hide that there is something. */
function unsentOf(
  overview: SyncOverview,
  owner: string,
  uncounted: Uncounted | null,
): Unsent | undefined {
  if (overview.files === null) return undefined;
  const { waitingCount, parkedCount, heldBackCount } = overview;
  const { placingCount, petCount, deletedCount, hiddenCount, leavingCount, files, versions } =
    overview;
  const { unfinished = 0, shared = 0 } = uncounted ?? {};
  const changes = waitingCount + parkedCount;
  const begun = files.filter(({ stage }) => stage !== 'recorded');
  const recordings = begun.filter(({ kind }) => kind === 'voice-note').length;
  const exportable = [
    [changes - placingCount - begun.length - petCount - deletedCount, 'note'],
    [recordings, 'recording'],
    [begun.length - recordings, 'picture'],
    [placingCount, 'restored or moved file'],
    [petCount, 'change to a dog', 'changes to dogs'],
    [versions.length, 'other version'],
    [
      unfinished + files.length - begun.length,
      'recording that is not finished',
      'recordings that are not finished',
    ],
    [readDrafts(owner).length, 'draft that is not saved', 'drafts that are not saved'],
  ] as const;
  const text = listText([
    ...exportable,
    [leavingCount, 'deletion of a dog', 'deletions of dogs'],
    [deletedCount + hiddenCount, 'deletion'],
    [shared, 'unused shared item (in no export)', 'unused shared items (in no export)'],
  ]);
  if (text === '' && uncounted === null) return undefined;
  return {
    text,
    isSendable: waitingCount - heldBackCount + leavingCount + hiddenCount > 0,
    isExportable: exportable.some(([count]) => count > 0),
    hasShared: shared > 0,
  };
}

/** Watches the unsent work. Drafts and shared items are counted anew with each other change. */
export function watchUnsent({ uid, queries, files }: UnsentSources): Live<Unsent> {
  const overview = queries.syncOverview();
  const uncounted = watchUncounted(overview, files);
  return combineLive({ overview, uncounted }, (read) =>
    unsentOf(read.overview, uid, read.uncounted),
  );
}

/** Lists the unsent work, and waits for the files to be read. @throws if the files cannot be loaded or read. */
export async function readUnsent({ uid, queries, files }: UnsentSources): Promise<string> {
  // A recording that was interrupted since the files were opened counts as a file.
  const uncounted = await readUncounted(files);
  const overview = await firstValue(queries.syncOverview(), (read) => read.files !== null);
  return unsentOf(overview, uid, uncounted)?.text ?? '';
}
