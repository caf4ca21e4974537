import {
  checkpointId,
  sweepPetJobId,
  type Checkpoint,
  type Scan,
} from '../../../schemas/local/local-record.ts';
import { syncedCollections, type SyncedCollection } from '../../../schemas/documents/sync-state.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { documentsOf, type Writes } from '../../../store/document-store.ts';
import type { Head, RemoteDocument } from '../../ports.ts';
import { applyRemote, type RemotePage } from './apply-remote.ts';
import {
  afterPage,
  afterScan,
  hasSeenAll,
  highestSeq,
  inHistory,
  isHeadBehind,
  isDifferentEpoch,
  repairedHead,
  takePullAgain,
  towards,
} from '../checkpoint.ts';
import { compareSeqs, markRestore } from '../compare-seqs.ts';
import { readHead } from '../read-head.ts';
import type { SyncContext } from '../sync-context.ts';
import { resetSyncState } from '../reset-sync-state.ts';

/** The comparison reads all copies, and a restore rarely goes unnoticed, so once a day is enough. */
const comparedEveryMs = 24 * 60 * 60_000;

function isToBeCompared({ complete, comparedAtMs }: Checkpoint, nowMs: number): boolean {
  if (!complete) return false;
  // A clock that was set back must not postpone the comparison.
  const sinceMs = comparedAtMs === undefined ? Infinity : nowMs - comparedAtMs;
  return sinceMs >= comparedEveryMs || sinceMs < 0;
}

interface ReconciledEpoch {
  readonly checkpoint: Checkpoint;
  readonly head: Head | null;
}

/**
 * Repairs a head that is behind the documents. A page that was committed after the head was read looks the same, so the
 * transaction checks again. A head that another device has written meanwhile is replaced by one of another epoch, so
 * that the next round starts anew. @returns the new head, if there was none at all, and the checkpoint in its epoch: the
 * pages may be of several restores, so their seqs are compared next.
 */
async function repairHead(context: SyncContext, read: ReconciledEpoch): Promise<ReconciledEpoch> {
  const { comparedAtMs: _before, ...checkpoint } = read.checkpoint;
  const repaired = repairedHead(read.checkpoint, context.newId());
  const created = { checkpoint: { ...checkpoint, epoch: repaired.epoch }, head: repaired };
  return context.remote.transact([], ({ head }) => {
    const isFine = head !== null && !isHeadBehind(read.checkpoint, head);
    const result = head === null ? created : read;
    return { head: isFine ? head : repaired, writes: [], result };
  });
}

/** Moves the checkpoint to the server's epoch. @returns it, with the server's head. */
async function reconcileEpoch(context: SyncContext): Promise<ReconciledEpoch> {
  const checkpoint = await takePullAgain(context.store);
  const nowMs = context.deviceNow();
  let head = await readHead(context.remote);
  // A restore that kept the epoch: other devices, with lower checkpoints, could not notice.
  let isUnmarked = head?.epoch === checkpoint.epoch && isHeadBehind(checkpoint, head);
  if (!isDifferentEpoch(checkpoint, head)) {
    // The numbers that copies have before the first page without a head belong to a lost history.
    const isHeadless = head === null && highestSeq(checkpoint) === 0;
    if (isHeadless) await resetSyncState(context, ({ seq }) => (seq ?? 0) > 0);
    const isToCompare = hasSeenAll(checkpoint, head) && isToBeCompared(checkpoint, nowMs);
    const found = isToCompare ? await compareSeqs(context) : 'unknown';
    isUnmarked = found === 'lost';
    if (!isUnmarked) {
      const compared = found === 'whole' ? { ...checkpoint, comparedAtMs: nowMs } : checkpoint;
      return { checkpoint: compared, head };
    }
  }
  if (isUnmarked) {
    await markRestore(context, checkpoint);
    head = await readHead(context.remote);
  }
  await resetSyncState(context);
  const entered = inHistory(checkpoint, head);
  await writeRecord(context.store, checkpointId, entered);
  return { checkpoint: entered, head };
}

/**
 * Returns the sweep jobs of a page: for pets that live here and are deleted by it, and for pets that are deleted here and
 * get an entry. The pets of its other entries must still be live when the page is committed.
 */
async function sweepsOf(
  context: SyncContext,
  remotes: readonly RemoteDocument[],
): Promise<Required<Pick<Writes, 'records' | 'livePets'>>> {
  const deletedPets = remotes.filter(({ petId, deleted }) => petId === null && deleted);
  const deletedIds = new Set(deletedPets.map(({ id }) => id));
  const petIds = remotes.flatMap(({ petId, deleted }) => (petId !== null && !deleted ? petId : []));
  const ids = [...deletedIds, ...petIds];
  const pets = [...(await documentsOf(context.store, 'pets', ids)).values()];
  const swept = pets.filter(({ id, deleted }) => deletedIds.has(id) !== deleted);
  const live = pets.filter(({ id, deleted }) => !deletedIds.has(id) && !deleted);
  const records = swept.map(
    ({ id }) => [sweepPetJobId(id), { kind: 'sweep-pet', petId: id }] as const,
  );
  return { records, livePets: live.map(({ id }) => id) };
}

/**
 * Stores a page, its sweep jobs and its checkpoint in one commit. Most documents of a first pull are new here, so none
 * is read before the commit has failed once.
 */
async function storePage(
  context: SyncContext,
  { collection, remotes }: Pick<RemotePage, 'collection' | 'remotes'>,
  checkpoint: Checkpoint,
): Promise<void> {
  const also = async (): Promise<Omit<Writes, 'swaps'>> => {
    const { records, livePets } = await sweepsOf(context, remotes);
    return { livePets, records: [...records, [checkpointId, checkpoint]] };
  };
  const read = checkpoint.complete ? {} : { read: new Map() };
  await applyRemote(context, { collection, remotes, also, ...read });
}

/**
 * Leaves out entries whose pet an earlier client deleted without them: they were invisible there, and are here too.
 */
async function withoutOrphans(
  context: SyncContext,
  remotes: readonly RemoteDocument[],
): Promise<readonly RemoteDocument[]> {
  const petIds = remotes.flatMap(({ petId }) => petId ?? []);
  const pets = await documentsOf(context.store, 'pets', petIds);
  return remotes.filter(
    ({ petId, seq }) => petId === null || seq > 0 || pets.get(petId)?.deleted === false,
  );
}

/** Reads a page whose size suits the link. */
async function readPage(
  { pullPace }: SyncContext,
  read: (limit: number) => Promise<readonly RemoteDocument[]>,
) {
  const limit = pullPace.size();
  const isFull = ({ length }: readonly RemoteDocument[]): boolean => length >= limit;
  const remotes = await pullPace.timed(() => read(limit), isFull);
  return { remotes, last: remotes.at(-1), isEnd: !isFull(remotes) };
}

/**
 * Reads a whole collection in the order of paths if it holds documents without a seq. These come with the others, so
 * that nothing is read twice. An interrupted scan resumes after its last page.
 */
async function scanCollection(
  context: SyncContext,
  collection: SyncedCollection,
  { checkpoint: from, head }: ReconciledEpoch,
): Promise<Checkpoint> {
  const { remote } = context;
  const isUnderWay = from.scan?.collection === collection;
  if (!isUnderWay && !(await remote.hasUnsequenced(collection))) return from;
  const started: Scan = { collection, after: null, head: head?.head ?? 0 };
  let scan = isUnderWay && from.scan ? from.scan : started;
  let checkpoint = from;
  for (;;) {
    const { after } = scan;
    const read = (limit: number) => remote.scan(collection, after, limit);
    const page = await readPage(context, read);
    const remotes = await withoutOrphans(context, page.remotes);
    if (page.last) scan = { ...scan, after: { id: page.last.id, petId: page.last.petId } };
    checkpoint = page.isEnd ? afterScan(checkpoint, scan) : { ...checkpoint, scan };
    await storePage(context, { collection, remotes }, checkpoint);
    if (page.isEnd) return checkpoint;
  }
}

async function pullCollection(
  context: SyncContext,
  collection: SyncedCollection,
  from: Checkpoint,
): Promise<Checkpoint> {
  let checkpoint = from;
  for (;;) {
    const afterSeq = checkpoint.seq[collection];
    const read = (limit: number) => context.remote.pull(collection, afterSeq, limit);
    const page = await readPage(context, read);
    if (page.last !== undefined) {
      checkpoint = afterPage(checkpoint, collection, page.last.seq);
      await storePage(context, { collection, remotes: page.remotes }, checkpoint);
    }
    if (page.isEnd) return checkpoint;
  }
}

/**
 * Pulls the documents that the server has and this device has not.
 *
 * - Documents come in the order of seq, which is the order of commits, so a later one is never older.
 * - A page is stored together with its checkpoint, so an interrupted pull resumes.
 * - A restored server is detected before any of its documents is stored.
 * - An entry that arrives for a deleted pet, or a deletion that arrives for a pet with entries, leaves a sweep job.
 */
export async function pull(context: SyncContext): Promise<void> {
  const { checkpoint: entered, head } = await reconcileEpoch(context);
  let checkpoint = towards(entered, head);
  if (highestSeq(entered) === 0 || !entered.complete || !hasSeenAll(entered, head)) {
    for (const collection of syncedCollections) {
      if (entered.seq[collection] === 0) {
        checkpoint = await scanCollection(context, collection, { checkpoint, head });
      }
      checkpoint = await pullCollection(context, collection, checkpoint);
    }
  }
  let end = { checkpoint, head };
  if (isHeadBehind(checkpoint, head)) end = await repairHead(context, end);
  const nowMs = context.serverClock.now();
  const pulled = context.rules.afterPull(end.checkpoint, end.head, nowMs);
  await writeRecord(context.store, checkpointId, pulled);
}
