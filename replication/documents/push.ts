import type { LocalDocument } from '../../schemas/document.ts';
import type { SyncedCollection } from '../../schemas/sync-state.ts';
import { RemoteError, refKey, type DocumentRef, type RemoteDocument } from '../ports.ts';
import type { Stored } from '../../store/document-store.ts';
import { applyRemote } from './apply-remote.ts';
import { hasSeenAll, readCheckpoint, writeCheckpoint, type Commit } from './checkpoint.ts';
import { changeDocuments } from '../../store/change-documents.ts';
import { inBatches, waitingInOrder } from './push-batches.ts';
import type { PushOutcome, PushResult } from './push-plan.ts';
import { acceptedWrite, dropped } from './push-settle.ts';
import { readHead } from './read-head.ts';
import type { SyncContext } from './sync-context.ts';

/**
 * Sends what waits.
 *
 * - Every document is read again in the transaction that writes it, so pushing twice, from anywhere, is harmless.
 * - A lost answer is nothing special: the next push finds the server holding our content.
 * - A document refused for good is parked alone; the others go on. An account refused parks nothing.
 * - What was edited while it was on its way waits again.
 */
export interface PushReport {
  readonly written: number;
  readonly parked: number;
  /** Something is left that another pull and push would move. */
  readonly isUnfinished: boolean;
}

interface Tally {
  written: number;
  parked: number;
  conflicts: number;
  waits: number;
  /** Somebody else's commits came before ours, or the server has another history. */
  isBehind: boolean;
}

/** As they were read to be pushed. */
type Batch = readonly Stored[];

/** A result and the middle of the time in which the server must have committed it. */
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

/** The documents of the batch and the pets of its entries, each once. */
function refsOf(batch: Batch): DocumentRef[] {
  const refs = new Map<string, DocumentRef>();
  for (const { document } of batch) {
    const { collection, id, petId } = document;
    refs.set(refKey({ collection, id }), { collection, id, petId });
    if (petId === null) continue;
    const pet = { collection: 'pets', id: petId, petId: null } as const;
    refs.set(refKey(pet), pet);
  }
  return [...refs.values()];
}

async function commit(context: SyncContext, batch: Batch): Promise<Committed> {
  const checkpoint = await readCheckpoint(context.store);
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

const collections: readonly SyncedCollection[] = ['pets', 'entries'];

/** Changes this device's copies of the documents, by what was pushed of each. */
async function changePushed(
  context: SyncContext,
  pushed: Batch,
  change: (stored: LocalDocument, sent: LocalDocument) => LocalDocument,
): Promise<number> {
  let changed = 0;
  for (const collection of collections) {
    const sent = pushed.filter(({ document }) => document.collection === collection);
    const read = new Map(sent.map((stored) => [stored.document.id, stored]));
    changed += await changeDocuments(
      context.store,
      { collection, ids: [...read.keys()], read },
      (stored, id) => {
        const document = read.get(id)?.document;
        return stored && document ? { document: change(stored, document) } : null;
      },
    );
  }
  return changed;
}

/** What was read of the documents with these outcomes. */
function ofOutcomes(batch: Batch, outcomes: readonly PushOutcome[]): Batch {
  const keys = new Set(outcomes.map(({ document }) => refKey(document)));
  return batch.filter(({ document }) => keys.has(refKey(document)));
}

async function settle(
  context: SyncContext,
  batch: Batch,
  outcomes: readonly PushOutcome[],
): Promise<void> {
  const accepted = new Map(
    pick(outcomes, 'write', 'done').map((outcome) => [
      refKey(outcome.document),
      outcome.kind === 'write' ? acceptedWrite(outcome.document, outcome.seq) : outcome.server,
    ]),
  );
  const pushed = ofOutcomes(batch, pick(outcomes, 'write', 'done'));
  await changePushed(context, pushed, (stored, sent) => {
    const content = accepted.get(refKey(sent));
    return content ? context.rules.settled(stored, sent, content) : stored;
  });
}

async function mergeConflicts(
  context: SyncContext,
  outcomes: readonly PushOutcome[],
): Promise<void> {
  const servers = pick(outcomes, 'conflict').map(({ server }): RemoteDocument => server);
  for (const collection of collections) {
    const remotes = servers.filter((server) => server.collection === collection);
    await applyRemote(context, { collection, remotes });
  }
}

async function park(context: SyncContext, batch: Batch, code: string): Promise<number> {
  if (batch.length === 0) return 0;
  context.log('sync-parked', { code, count: batch.length });
  return changePushed(context, batch, (stored, sent) => context.rules.parked(stored, sent, code));
}

/** Before any copy has a seq of it: a seq whose history nobody knows would look like one of the next. */
async function enterEpoch(context: SyncContext, epoch: string): Promise<void> {
  const checkpoint = await readCheckpoint(context.store);
  if (checkpoint.epoch === null) await writeCheckpoint(context.store, { ...checkpoint, epoch });
}

async function moveCheckpoint(context: SyncContext, commits: Commit): Promise<boolean> {
  const checkpoint = await readCheckpoint(context.store);
  const moved = context.rules.afterCommit(checkpoint, commits);
  // Without a calibration in this session, our own documents are pulled again: they tell the server's time.
  const next = context.serverClock.isCalibrated() ? moved : checkpoint;
  if (next !== checkpoint) await writeCheckpoint(context.store, next);
  return hasSeenAll(next, commits.after);
}

/**
 * The first commit of a session tells the server's time: one document of it is read back. Without that, everything
 * that is pushed would have to be pulled again.
 */
async function calibrate(
  context: SyncContext,
  first: { readonly document: LocalDocument; readonly seq: number } | undefined,
): Promise<void> {
  if (first === undefined || context.serverClock.isCalibrated()) return;
  const { collection } = first.document;
  await context.serverClock.observe(await context.remote.pull(collection, first.seq - 1, 1));
}

async function carryOut(context: SyncContext, done: Committed, tally: Tally): Promise<void> {
  const { batch, result, middleMs } = done;
  if (result === null) {
    tally.isBehind = true;
    return;
  }
  const { outcomes } = result;
  const writes = pick(outcomes, 'write');
  context.serverClock.committed(
    writes.map(({ seq }) => seq),
    middleMs,
  );
  await enterEpoch(context, result.after.epoch);
  await settle(context, batch, outcomes);
  await calibrate(context, writes[0]);
  if (!(await moveCheckpoint(context, result))) tally.isBehind = true;
  await mergeConflicts(context, outcomes);
  const gone = ofOutcomes(batch, pick(outcomes, 'pet-deleted'));
  tally.parked += await park(context, gone, 'pet-deleted');
  await changePushed(context, ofOutcomes(batch, pick(outcomes, 'moot')), dropped);
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
  // A refusal says something about a document only if the account itself is let in.
  await readHead(context.remote);
  tally.parked += await park(context, batch, `refused:${code}`);
}

async function pushBatch(context: SyncContext, batch: Batch, tally: Tally): Promise<void> {
  let done: Committed;
  try {
    done = await commit(context, batch);
  } catch (error) {
    if (!(error instanceof RemoteError) || error.kind === 'transient') throw error;
    await onRefused(context, { batch, code: error.code }, tally);
    return;
  }
  await carryOut(context, done, tally);
}

export async function push(context: SyncContext): Promise<PushReport> {
  const tally: Tally = { written: 0, parked: 0, conflicts: 0, waits: 0, isBehind: false };
  for await (const batch of inBatches(waitingInOrder(context.store), () =>
    context.pushPace.size(),
  )) {
    await pushBatch(context, batch, tally);
  }
  const isUnblocked = tally.written > 0 && tally.waits > 0;
  const isUnfinished = tally.conflicts > 0 || tally.isBehind || isUnblocked;
  return { written: tally.written, parked: tally.parked, isUnfinished };
}
