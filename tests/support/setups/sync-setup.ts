import { createSyncEngine, type SyncEngine } from '../../../replication/documents/sync-engine.ts';
import type { SyncRules } from '../../../replication/documents/sync-rules.ts';
import type { SyncOutcome } from '../../../replication/documents/sync-engine.ts';
import type { RemoteDocuments } from '../../../replication/ports.ts';
import type { LocalDocument } from '../../../schemas/documents/document.ts';
import type { SyncedCollection } from '../../../schemas/documents/sync-state.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import {
  createMemoryDocumentStore,
  type MemoryDocumentStore,
} from '../fakes/memory-document-store.ts';
import { createMemoryServer, type MemoryServer } from '../fakes/memory-remote.ts';
import { portsUnder } from '../fakes/ports-under.ts';

export const uid = 'owner-1';

/** The result of a run, with what it has done. */
interface SyncReport extends SyncOutcome {
  /** The number of documents that were written to the server by commits that were answered. */
  readonly pushed: number;
  /** The number of copies that were parked. */
  readonly parked: number;
}

export interface TestDevice {
  readonly store: MemoryDocumentStore;
  readonly engine: SyncEngine;
  sync(): Promise<SyncReport>;
}

/** Returns a document of a device's store. @throws if it is not there. */
export function find(
  { store }: TestDevice,
  collection: SyncedCollection,
  id: string,
): LocalDocument {
  const found = store.documents(collection).find((document) => document.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
}

/** Counts the documents that answered commits have written. */
function countWrites(remote: RemoteDocuments) {
  let count = 0;
  const transact: RemoteDocuments['transact'] = async (refs, decide) => {
    let decided = 0;
    const result = await remote.transact(refs, (view) => {
      const plan = decide(view);
      decided = plan.writes.length;
      return plan;
    });
    count += decided;
    return result;
  };
  return { remote: { ...remote, transact }, written: () => count };
}

function parkedIn(store: MemoryDocumentStore): number {
  const all = [...store.documents('pets'), ...store.documents('entries')];
  return all.filter(({ pending }) => pending === 2).length;
}

interface TestDeviceOptions {
  /** The store that an earlier session of the device has filled. */
  readonly store?: MemoryDocumentStore;
  readonly rules?: Partial<SyncRules>;
  readonly wrapRemote?: (remote: RemoteDocuments) => RemoteDocuments;
  readonly wrapStore?: (store: DocumentStore) => DocumentStore;
  readonly now?: () => number;
  readonly pullPageSize?: number;
}

export interface SyncWorld {
  readonly server: MemoryServer;
  /** The server's time in epoch milliseconds, which tests advance. */
  readonly time: { nowMs: number };
  device(options?: TestDeviceOptions): TestDevice;
}

/** Creates one server, and devices of its owner on request. */
export function createSyncWorld(): SyncWorld {
  const time = { nowMs: 1_700_000_000_000 };
  const server = createMemoryServer({ now: () => time.nowMs });
  let ids = 0;
  const newId = (): string => {
    ids += 1;
    return `id-${String(ids)}`;
  };
  const device = (options: TestDeviceOptions = {}): TestDevice => {
    const { store = createMemoryDocumentStore() } = options;
    const connected = server.connect(uid);
    const { wrapRemote = (remote) => remote } = options;
    const { remote, written } = countWrites(wrapRemote(connected));
    const engine = createSyncEngine({
      openPorts: portsUnder({
        store: options.wrapStore ? options.wrapStore(store) : store,
        remote,
      }),
      clock: { now: options.now ?? (() => time.nowMs) },
      newId,
      log: () => undefined,
      rules: options.rules ?? {},
      pullPageSize: options.pullPageSize ?? 500,
    });
    const sync = async (): Promise<SyncReport> => {
      const [writtenBefore, parkedBefore] = [written(), parkedIn(store)];
      const outcome = await engine.run(new AbortController().signal);
      const parked = Math.max(0, parkedIn(store) - parkedBefore);
      return { ...outcome, pushed: written() - writtenBefore, parked };
    };
    return { store, engine, sync };
  };
  return { server, time, device };
}
