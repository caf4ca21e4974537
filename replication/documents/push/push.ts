import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { checkpointId, type Checkpoint } from '../../../schemas/local/local-record.ts';
import { syncedCollections } from '../../../schemas/documents/sync-state.ts';
import { changeDocuments } from '../../../store/change-documents.ts';
import {
  documentsOf,
  type RecordWrite,
  type Stored,
  type Swap,
} from '../../../store/document-store.ts';
import { RemoteError, refKey } from '../../ports.ts';
import { applyRemote } from '../pull/apply-remote.ts';
import { hasNoRoom } from '../pull/page-pace.ts';
import { hasSeenAll, readCheckpoint } from '../checkpoint.ts';
import { compareSeqs, markRestore } from '../compare-seqs.ts';
import { inBatches, waitingInOrder, type Pushed } from './push-batches.ts';
import type { PushOutcome, PushResult } from './push-plan.ts';
import { dropped } from './push-settle.ts';
import { readHead } from '../read-head.ts';
import type { RequestTimes } from '../server-clock.ts';
import type { SyncContext } from '../sync-context.ts';

interface Tally {
  /**
   * How far the pushed copies are known to have read: the stored checkpoint before they were read, moved only by this
   * push's own commits. Another tab may store a page, with its checkpoint, in between.
   */
  seen: Checkpoint;
  written: number;
  waits: number;
  /** Another device committed first, the server has another epoch, or a document met another state. */
  isBehind: boolean;
  /**
   * This push has compared the server with the copies, and it lacks nothing. The comparison reads all copies, so it is
   * made once.
   */
  isWhole: boolean;
}

/** The documents as they were read for the push. */
type Batch = readonly Stored[];

/** A result, and the interval in which the server must have committed it. */
interface Committed {
  readonly batch: Batch;
  readonly result: PushResult;
  readonly times: RequestTimes;
}

async function commit(
  context: SyncContext,
  batch: Batch,
  checkpoint: Checkpoint,
): Promise<Committed> {
  const documents = batch.map(({ document }) => document);
  const petIds = documents.flatMap(({ petId }) => petId ?? []);
  const pets = await documentsOf(context.store, 'pets', petIds);
  const asked = { documents, pets, checkpoint, newEpoch: context.newId() };
  // These are read with the head: an earlier client may have changed them without moving it.
  const withoutSeq = documents.filter(({ seq }) => seq === 0);
  let decidedAtMs = context.deviceNow();
  const transact = (): Promise<PushResult> =>
    context.remote.transact(withoutSeq, (view) => {
      decidedAtMs = context.deviceNow();
      return context.rules.planPush(asked, view);
    });
  const { pushPace } = context;
  const result = await pushPace.timed(transact, () => batch.length >= pushPace.size());
  return { batch, result, times: { fromMs: decidedAtMs, untilMs: context.deviceNow() } };
}

type OutcomeOf<Kind extends PushOutcome['kind']> = PushOutcome & { readonly kind: Kind };

function pick<Kind extends PushOutcome['kind']>(
  outcomes: readonly PushOutcome[],
  kind: Kind,
): OutcomeOf<Kind>[] {
  return outcomes.filter((outcome): outcome is OutcomeOf<Kind> => outcome.kind === kind);
}

interface Sent {
  readonly pushed: Batch;
  /** Records of the same commit; computed before each attempt. */
  readonly records?: (swaps: readonly Swap[]) => readonly RecordWrite[];
}

/** Changes this device's copies of the pushed documents, in one commit. */
function changePushed(
  { store }: SyncContext,
  { pushed, records = () => [] }: Sent,
  change: (stored: LocalDocument, sent: LocalDocument) => LocalDocument,
): Promise<unknown> {
  const sent = new Map(pushed.map((stored) => [refKey(stored.document), stored]));
  const targets = syncedCollections.map((collection) => {
    const own = pushed.filter(({ document }) => document.collection === collection);
    const read = new Map(own.map((stored) => [stored.document.id, stored]));
    return { collection, ids: [...read.keys()], read };
  });
  const also = async (swaps: readonly Swap[]) => ({ records: records(swaps) });
  return changeDocuments(store, { targets, also }, (stored) => {
    const document = stored === null ? undefined : sent.get(refKey(stored))?.document;
    return stored && document ? { document: change(stored, document) } : null;
  });
}

const petDeletedCode = 'pet-deleted';

/** Returns a function that computes the copy after the server's answer. */
function afterOutcome({ rules }: SyncContext, outcomes: readonly PushOutcome[]) {
  const byKey = new Map(outcomes.map((outcome) => [refKey(outcome.document), outcome]));
  return (stored: LocalDocument, sent: LocalDocument): LocalDocument => {
    const outcome = byKey.get(refKey(sent));
    if (outcome?.kind === 'write') return rules.settled(stored, sent, outcome.seq);
    if (outcome?.kind === 'pet-deleted') return rules.parked(stored, sent, petDeletedCode);
    return outcome?.kind === 'obsolete' ? dropped(stored, sent) : stored;
  };
}

/** Measures the server's time, if that is due, by reading back a document that was just committed. */
async function calibrate(
  { store, remote, serverClock }: SyncContext,
  { document, seq }: OutcomeOf<'write'>,
  times: RequestTimes,
): Promise<void> {
  if (serverClock.isCalibrated()) return;
  const [found] = await remote.pull(document.collection, seq - 1, 1);
  if (found?.seq !== seq || found.updatedAtMs === null) return;
  await serverClock.calibrate(store, found.updatedAtMs, times);
}

/** Stores the copies after the commit together with their checkpoint. */
async function applyResult(
  context: SyncContext,
  { batch, result, times }: Committed,
  tally: Tally,
): Promise<void> {
  if (result === null) {
    tally.isBehind = true;
    return;
  }
  const { rules, store, log } = context;
  const { outcomes } = result;
  const writes = pick(outcomes, 'write');
  const before = await readCheckpoint(store);
  const moved = rules.afterCommit(before, result);
  let checkpoint = moved;
  // Whether another engine of this device updated a copy during the push. The copy may lack changes of the server, so
  // the checkpoint stays, and a pull reads the written documents.
  let isLeftAlone = false;
  const records = (swaps: readonly Swap[]): readonly RecordWrite[] => {
    isLeftAlone = !rules.areSettled(
      writes,
      swaps.map(({ to }) => to),
    );
    checkpoint = isLeftAlone ? { ...before, epoch: moved.epoch } : moved;
    const isMoved = writes.length > 0 || checkpoint.epoch !== before.epoch;
    return isMoved ? [[checkpointId, checkpoint]] : [];
  };
  await changePushed(context, { pushed: batch, records }, afterOutcome(context, outcomes));
  const [first] = writes;
  if (first !== undefined) await calibrate(context, first, times);
  if (!isLeftAlone) tally.seen = rules.afterCommit(tally.seen, result);
  const conflicts = pick(outcomes, 'conflict').map(({ server }) => server);
  for (const collection of syncedCollections) {
    const remotes = conflicts.filter((server) => server.collection === collection);
    await applyRemote(context, { collection, remotes });
  }
  const goneCount = pick(outcomes, 'pet-deleted').length;
  if (goneCount > 0) log('sync-parked', { code: petDeletedCode, count: goneCount });
  if (conflicts.length > 0 || !hasSeenAll(checkpoint, result.after)) tally.isBehind = true;
  tally.written += writes.length;
  tally.waits += pick(outcomes, 'waits').length;
}

async function onRefused(
  context: SyncContext,
  { batch, code }: { readonly batch: Batch; readonly code: string },
  tally: Tally,
): Promise<void> {
  if (batch.length > 1) {
    const middle = Math.ceil(batch.length / 2);
    await pushBatch(context, batch.slice(0, middle), tally);
    await pushBatch(context, batch.slice(middle), tally);
    return;
  }
  // A refusal concerns a document only if the server accepts the account,
  await readHead(context.remote);
  // and has the state that the document builds on.
  const found = tally.isWhole ? 'whole' : await compareSeqs(context);
  tally.isWhole = found === 'whole';
  if (!tally.isWhole) {
    if (found === 'lost') await markRestore(context, await readCheckpoint(context.store));
    tally.isBehind = true;
    return;
  }
  const parkedCode = `refused:${code}`;
  context.log('sync-parked', { code: parkedCode, count: 1 });
  await changePushed(context, { pushed: batch }, (stored, sent) =>
    context.rules.parked(stored, sent, parkedCode),
  );
}

async function pushBatch(context: SyncContext, batch: Batch, tally: Tally): Promise<void> {
  let done: Committed;
  try {
    done = await commit(context, batch, tally.seen);
  } catch (error) {
    if (!(error instanceof RemoteError) || error.kind === 'transient') throw error;
    await onRefused(context, { batch, code: error.code }, tally);
    return;
  }
  await applyResult(context, done, tally);
}

async function pushEach(context: SyncContext, pushed: Pushed, tally: Tally): Promise<void> {
  const { store, pushPace } = context;
  for await (const batch of inBatches(waitingInOrder(store, pushed), () => pushPace.size())) {
    await pushBatch(context, batch, tally);
  }
}

/**
 * Pushes the pending documents.
 *
 * - A commit reads the head, and writes only if this device has seen every commit up to it; otherwise it pulls first.
 * - A lost answer needs no special case: the pull before the next push brings the pushed documents back.
 * - A document that is refused for good is parked, and the others continue. A refused account parks nothing.
 * - A document that was edited while in flight stays pending.
 * - A server that has no room for the documents still gets the deletions, by which the owner makes room.
 * @returns false if another pull and push would make progress.
 */
export async function push(context: SyncContext): Promise<boolean> {
  const seen = await readCheckpoint(context.store);
  const tally: Tally = { seen, written: 0, waits: 0, isBehind: false, isWhole: false };
  try {
    await pushEach(context, 'all', tally);
  } catch (error) {
    if (hasNoRoom(error)) await pushEach(context, 'deletions', tally);
    throw error;
  }
  const isUnblocked = tally.written > 0 && tally.waits > 0;
  return !(tally.isBehind || isUnblocked);
}
