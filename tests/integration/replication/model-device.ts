import { createSyncEngine, type SyncEngine } from '../../../replication/documents/sync-engine.ts';
import type { SyncOutcome } from '../../../replication/documents/sync-engine.ts';
import { RemoteError, type RemoteDocuments } from '../../../replication/ports.ts';
import type { DocumentStore, Swap } from '../../../store/document-store.ts';
import { sweepPetJobId } from '../../../schemas/local/local-record.ts';
import {
  createMemoryDocumentStore,
  type MemoryDocumentStore,
} from '../../support/fakes/memory-document-store.ts';
import { portsUnder } from '../../support/fakes/ports-under.ts';
import type { ModelContext } from './model-context.ts';
import type { Process } from './step-scheduler.ts';

/** An open page: an engine with its memory, and its current run. */
export interface Tab {
  readonly process: Process;
  readonly engine: SyncEngine;
  readonly store: DocumentStore;
  run: { readonly abort: AbortController; readonly ended: Promise<SyncOutcome> } | null;
}

export interface ModelDevice {
  readonly index: number;
  readonly store: MemoryDocumentStore;
  readonly clockOffsetMs: number;
  isOnline: boolean;
  /** Two pages of the app. They take no lock here, so that their runs interleave in every way. */
  readonly tabs: Tab[];
  /** Pets that the owner deleted on this device. */
  readonly deletedPets: Set<string>;
}

/** Returns the device's store, of which every call takes two steps of the scheduler. */
function steppedStore(context: ModelContext, device: ModelDevice, process: Process): DocumentStore {
  const { store } = device;
  const step = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await context.pause(process);
    const result = await call();
    await context.pause(process);
    return result;
  };
  const noteDeletion = ({ from, to }: Swap): void => {
    const shown = from?.document;
    const petId = shown?.petId ?? shown?.id ?? '';
    const isOwners = device.deletedPets.has(petId) && !store.records().has(sweepPetJobId(petId));
    const isDeletion = shown?.deleted === false && to.deleted && to.rev > shown.rev;
    if (isOwners && isDeletion) context.ledger.deleted(shown);
  };
  return {
    get: (collection, ids) => step(() => store.get(collection, ids)),
    listPending: (collection, state, page) =>
      step(() => store.listPending(collection, state, page)),
    listAll: (collection, page) => step(() => store.listAll(collection, page)),
    listEntriesOfPet: (petId, page) => step(() => store.listEntriesOfPet(petId, page)),
    readRecord: (id) => step(() => store.readRecord(id)),
    listRecords: (kind) => step(() => store.listRecords(kind)),
    commit: (writes) =>
      step(async () => {
        const isCommitted = await store.commit(writes);
        if (isCommitted) (writes.swaps ?? []).forEach(noteDeletion);
        return isCommitted;
      }),
  };
}

function unavailable(): RemoteError {
  return new RemoteError('transient', 'unavailable');
}

/** Returns the device's remote, which can lose requests and answers, repeats documents, and fails during a restore. */
function faultyRemote(
  context: ModelContext,
  device: ModelDevice,
  process: Process,
): RemoteDocuments {
  const pause = () => context.pause(process);
  const inner = context.server.connect(context.uid, pause);
  const { random } = context;
  const call = async <Result>(
    work: (requireSameServer: () => void) => Promise<Result>,
  ): Promise<Result> => {
    await pause();
    const { generation } = context;
    const requireSameServer = (): void => {
      if (context.generation !== generation) throw unavailable();
    };
    if (!device.isOnline || random.chance(context.lossBefore)) throw unavailable();
    const result = await work(requireSameServer);
    requireSameServer();
    if (random.chance(context.lossAfter)) throw unavailable();
    return result;
  };
  return {
    readHead: () => call(() => inner.readHead()),
    pull: (collection, afterSeq, limit) => {
      const from = random.chance(context.duplicates) ? Math.max(0, afterSeq - 3) : afterSeq;
      return call(() => inner.pull(collection, from, limit + afterSeq - from));
    },
    hasUnsequenced: (collection) => call(() => inner.hasUnsequenced(collection)),
    sumOfSeqs: (collection) => call(() => inner.sumOfSeqs(collection)),
    scan: (...page) => call(() => inner.scan(...page)),
    abandon: () => undefined,
    transact: (refs, decide) =>
      call((requireSameServer) =>
        inner.transact(refs, (view) => {
          requireSameServer();
          return decide(view);
        }),
      ),
  };
}

function openTab(context: ModelContext, device: ModelDevice): Tab {
  const process: Process = { isAlive: true };
  const { mutation } = context;
  const stepped = steppedStore(context, device, process);
  const faulty = faultyRemote(context, device, process);
  const store = mutation.wrapStore?.(stepped, faulty) ?? stepped;
  const now = () => context.nowMs() + device.clockOffsetMs;
  const engine = createSyncEngine({
    openPorts: portsUnder({
      store,
      remote: mutation.wrapRemote?.(faulty, { store: stepped, now }) ?? faulty,
    }),
    clock: { now },
    newId: context.newId,
    log: () => undefined,
    rules: mutation.rules ?? {},
    // The page is small, so that a pull takes several pages.
    pullPageSize: 3,
  });
  return { process, engine, store, run: null };
}

export function createModelDevice(
  context: ModelContext,
  index: number,
  clockOffsetMs: number,
): ModelDevice {
  const store = createMemoryDocumentStore();
  const device: ModelDevice = {
    index,
    store,
    clockOffsetMs,
    isOnline: true,
    tabs: [],
    deletedPets: new Set(),
  };
  device.tabs.push(openTab(context, device), openTab(context, device));
  return device;
}

export function tabOf({ tabs }: ModelDevice, which: number): Tab {
  const tab = tabs[which];
  if (!tab) throw new Error('a device has two tabs');
  return tab;
}

/** Replaces the tab by a new one with empty memory on the same store. @returns the process of the old tab. */
export function reopenTab(context: ModelContext, device: ModelDevice, which: number): Process {
  const { process } = tabOf(device, which);
  device.tabs[which] = openTab(context, device);
  return process;
}
