import type { LocalDocument } from '../../schemas/document.ts';
import type { SyncedCollection } from '../../schemas/sync-state.ts';
import { RemoteError, refKey, type DocumentRef, type RemoteDocument } from '../ports.ts';
import { applyRemote } from './apply-remote.ts';
import { hasSeenAll, readCheckpoint, writeCheckpoint, type Commit } from './checkpoint.ts';
import { changeDocuments } from './compare-and-set.ts';
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

type Batch = readonly LocalDocument[];

/** A result and the middle of the time in which the server must have committed it. */
interface Committed {
  readonly result: PushResult;
  readonly middleMs: number;
}

async function petsOf(context: SyncContext, batch: Batch): Promise<Map<string, LocalDocument>> {
  const petIds = new Set(batch.flatMap(({ petId }) => (petId === null ? [] : [petId])));
  const stored = await context.store.get('pets', [...petIds]);
  return new Map([...stored].map(([id, { document }]) => [id, document]));
}

/** The documents of the batch and the pets of its entries, each once. */
function refsOf(batch: Batch): DocumentRef[] {
  const refs = new Map<string, DocumentRef>();
  for (const { collection, id, petId } of batch) {
    refs.set(refKey({ collection, id }), { collection, id, petId });
    if (petId === null) continue;
    const pet = { collection: 'pets', id: petId, petId: null } as const;
    refs.set(refKey(pet), pet);
  }
  return [...refs.values()];
}

async function commit(context: SyncContext, documents: Batch): Promise<Committed> {
  const checkpoint = await readCheckpoint(context.store);
  const pets = await petsOf(context, documents);
  const batch = { documents, pets, checkpoint, newEpoch: context.newId() };
  let decidedAtMs = context.deviceNow();
  const result = await context.remote.transact(refsOf(documents), (view) => {
    decidedAtMs = context.deviceNow();
    return context.rules.planPush(batch, view);
  });
  return { result, middleMs: (decidedAtMs + context.deviceNow()) / 2 };
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
    const sent = pushed.filter((document) => document.collection === collection);
    const sentById = new Map(sent.map((document) => [document.id, document]));
    changed += await changeDocuments(
      context.store,
      { collection, ids: [...sentById.keys()] },
      (stored, id) => {
        const document = sentById.get(id);
        return stored && document ? { document: change(stored, document) } : null;
      },
    );
  }
  return changed;
}

async function settle(context: SyncContext, outcomes: readonly PushOutcome[]): Promise<void> {
  const accepted = new Map(
    pick(outcomes, 'write', 'done').map((outcome) => [
      refKey(outcome.document),
      outcome.kind === 'write' ? acceptedWrite(outcome.document, outcome.seq) : outcome.server,
    ]),
  );
  const pushed = pick(outcomes, 'write', 'done').map(({ document }) => document);
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
    await applyRemote(
      context,
      collection,
      servers.filter((server) => server.collection === collection),
    );
  }
}

async function park(context: SyncContext, documents: Batch, code: string): Promise<number> {
  if (documents.length === 0) return 0;
  context.log('sync-parked', { code, count: documents.length });
  return changePushed(context, documents, (stored, sent) =>
    context.rules.parked(stored, sent, code),
  );
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
  const { result, middleMs } = done;
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
  await settle(context, outcomes);
  await calibrate(context, writes[0]);
  if (!(await moveCheckpoint(context, result))) tally.isBehind = true;
  await mergeConflicts(context, outcomes);
  const gone = pick(outcomes, 'pet-deleted').map(({ document }) => document);
  tally.parked += await park(context, gone, 'pet-deleted');
  const moot = pick(outcomes, 'moot').map(({ document }) => document);
  await changePushed(context, moot, dropped);
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
  for await (const batch of inBatches(waitingInOrder(context.store))) {
    await pushBatch(context, batch, tally);
  }
  const isUnblocked = tally.written > 0 && tally.waits > 0;
  const isUnfinished = tally.conflicts > 0 || tally.isBehind || isUnblocked;
  return { written: tally.written, parked: tally.parked, isUnfinished };
}
