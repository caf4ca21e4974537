import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { checkpointId, type Checkpoint } from '../../../schemas/local/local-record.ts';
import { syncedCollections } from '../../../schemas/documents/sync-state.ts';
import { changeDocuments } from '../../../store/change-documents.ts';
import type { RecordWrite, Stored, Swap } from '../../../store/document-store.ts';
import { RemoteError, refKey, type DocumentRef, type RemoteDocument } from '../../ports.ts';
import { applyRemote } from '../pull/apply-remote.ts';
import { hasSeenAll, readCheckpoint } from '../checkpoint.ts';
import { isPartlyRestored } from '../compare-seqs.ts';
import { markRestore } from '../mark-restore.ts';
import { inBatches, waitingInOrder } from './push-batches.ts';
import type { PushOutcome, PushResult } from './push-plan.ts';
import { dropped } from './push-settle.ts';
import { readHead } from '../read-head.ts';
import type { SyncContext } from '../sync-context.ts';

interface Tally {
  /**
   * How far the pushed copies are known to have read: the stored checkpoint before they were read, moved only by this
   * push's own commits. Another tab may store a page, with its checkpoint, in between.
   */
  seen: Checkpoint;
  written: number;
  conflicts: number;
  waits: number;
  /** Another device committed first, or the server has another epoch. */
  isBehind: boolean;
  /**
   * This push has compared the server with the copies, and it lacks nothing. The comparison reads all copies, so it is
   * made once.
   */
  isWhole: boolean;
}

/** The documents as they were read for the push. */
type Batch = readonly Stored[];

/** A result, and the middle of the interval in which the server must have committed it. */
interface Committed {
  readonly batch: Batch;
  readonly result: PushResult;
  readonly middleMs: number;
}

async function petsOf(context: SyncContext, batch: Batch): Promise<Map<string, LocalDocument>> {
  const petIds = new Set(
    batch.flatMap(({ document: { petId } }) => (petId === null ? [] : [petId])),
  );
  const stored = await context.store.get('pets', [...petIds]);
  return new Map([...stored].map(([id, { document }]) => [id, document]));
}

/** Returns the documents to read with the head: an earlier client may have changed them without moving it. */
function refsOf(batch: Batch): DocumentRef[] {
  return batch.flatMap(({ document: { collection, id, petId, seq } }) =>
    seq === 0 ? { collection, id, petId } : [],
  );
}

async function commit(
  context: SyncContext,
  batch: Batch,
  checkpoint: Checkpoint,
): Promise<Committed> {
  const pets = await petsOf(context, batch);
  const documents = batch.map(({ document }) => document);
  const asked = { documents, pets, checkpoint, newEpoch: context.newId() };
  let decidedAtMs = context.deviceNow();
  const transact = (): Promise<PushResult> =>
    context.remote.transact(refsOf(batch), (view) => {
      decidedAtMs = context.deviceNow();
      return context.rules.planPush(asked, view);
    });
  const { pushPace } = context;
  const result = await pushPace.timed(transact, () => batch.length >= pushPace.size());
  return { batch, result, middleMs: (decidedAtMs + context.deviceNow()) / 2 };
}

function pick<Kind extends PushOutcome['kind']>(
  outcomes: readonly PushOutcome[],
  ...kinds: readonly Kind[]
): (PushOutcome & { readonly kind: Kind })[] {
  const wanted: ReadonlySet<string> = new Set(kinds);
  return outcomes.filter((outcome): outcome is PushOutcome & { readonly kind: Kind } =>
    wanted.has(outcome.kind),
  );
}

interface Pushed {
  readonly pushed: Batch;
  /** Records of the same commit; computed before each attempt. */
  readonly records?: (swaps: readonly Swap[]) => readonly RecordWrite[];
}

/** Changes this device's copies of the pushed documents, in one commit. */
function changePushed(
  { store }: SyncContext,
  { pushed, records = () => [] }: Pushed,
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

async function mergeConflicts(
  context: SyncContext,
  outcomes: readonly PushOutcome[],
): Promise<void> {
  const servers = pick(outcomes, 'conflict').map(({ server }): RemoteDocument => server);
  for (const collection of syncedCollections) {
    const remotes = servers.filter((server) => server.collection === collection);
    await applyRemote(context, { collection, remotes });
  }
}

const petDeletedCode = 'pet-deleted';

/** Returns a function that computes the copy after the server's answer. */
function afterOutcome({ rules }: SyncContext, outcomes: readonly PushOutcome[]) {
  const byKey = new Map(outcomes.map((outcome) => [refKey(outcome.document), outcome]));
  return (stored: LocalDocument, sent: LocalDocument): LocalDocument => {
    const outcome = byKey.get(refKey(sent));
    if (outcome?.kind === 'write') {
      return rules.settled(stored, sent, outcome.seq);
    }
    if (outcome?.kind === 'pet-deleted') return rules.parked(stored, sent, petDeletedCode);
    return outcome?.kind === 'obsolete' ? dropped(stored, sent) : stored;
  };
}

/** Measures the server's time, if that is due, by reading back a document that was just committed. */
async function calibrate(
  { store, remote, serverClock }: SyncContext,
  { document, seq }: { readonly document: LocalDocument; readonly seq: number },
  middleMs: number,
): Promise<void> {
  if (serverClock.isCalibrated()) return;
  const [found] = await remote.pull(document.collection, seq - 1, 1);
  if (found?.seq !== seq || found.updatedAtMs === null) return;
  await serverClock.calibrate(store, found.updatedAtMs, middleMs);
}

interface Settled {
  /** The checkpoint as it is stored now. */
  readonly checkpoint: Checkpoint;
  /**
   * Another engine of this device updated a copy during the push. The copy may lack changes of the server, so the
   * checkpoint stays, and a pull reads the written documents.
   */
  readonly isLeftAlone: boolean;
}

/** Stores the copies after the commit together with their checkpoint. */
async function settle(
  context: SyncContext,
  batch: Batch,
  result: NonNullable<PushResult>,
): Promise<Settled> {
  const { rules, store } = context;
  const { outcomes } = result;
  const writes = pick(outcomes, 'write');
  const before = await readCheckpoint(store);
  const moved = rules.afterCommit(before, result);
  let isLeftAlone = false;
  let checkpoint = moved;
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
  return { checkpoint, isLeftAlone };
}

async function applyResult(context: SyncContext, done: Committed, tally: Tally): Promise<void> {
  const { batch, result, middleMs } = done;
  if (result === null) {
    tally.isBehind = true;
    return;
  }
  const { outcomes } = result;
  const writes = pick(outcomes, 'write');
  const gone = pick(outcomes, 'pet-deleted');
  const [first] = writes;
  const { checkpoint, isLeftAlone } = await settle(context, batch, result);
  if (first !== undefined) await calibrate(context, first, middleMs);
  if (!isLeftAlone) tally.seen = context.rules.afterCommit(tally.seen, result);
  if (!hasSeenAll(checkpoint, result.after)) tally.isBehind = true;
  await mergeConflicts(context, outcomes);
  if (gone.length > 0) context.log('sync-parked', { code: petDeletedCode, count: gone.length });
  tally.written += writes.length;
  tally.conflicts += pick(outcomes, 'conflict').length;
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
  tally.isWhole ||= !(await isPartlyRestored(context));
  if (!tally.isWhole) {
    await markRestore(context, await readCheckpoint(context.store));
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

/**
 * Pushes the pending documents.
 *
 * - A commit reads the head, and writes only if this device has seen every commit up to it; otherwise it pulls first.
 * - A lost answer needs no special case: the pull before the next push brings the pushed documents back.
 * - A document that is refused for good is parked, and the others continue. A refused account parks nothing.
 * - A document that was edited while in flight stays pending.
 * @returns false if another pull and push would make progress.
 */
export async function push(context: SyncContext): Promise<boolean> {
  const seen = await readCheckpoint(context.store);
  const counts = { written: 0, conflicts: 0, waits: 0 };
  const tally: Tally = { seen, ...counts, isBehind: false, isWhole: false };
  for await (const batch of inBatches(waitingInOrder(context.store), () =>
    context.pushPace.size(),
  )) {
    await pushBatch(context, batch, tally);
  }
  const isUnblocked = tally.written > 0 && tally.waits > 0;
  return !(tally.conflicts > 0 || tally.isBehind || isUnblocked);
}
