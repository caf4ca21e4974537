import { createSyncEngine, type SyncEngine } from '../../../replication/documents/sync-engine.ts';
import type { SyncRules } from '../../../replication/documents/sync-rules.ts';
import type { SyncOutcome } from '../../../replication/documents/sync-engine.ts';
import type { RemoteDocuments } from '../../../replication/ports.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import {
  createMemoryDocumentStore,
  type MemoryDocumentStore,
} from '../fakes/memory-document-store.ts';
import { createMemoryServer, type MemoryServer } from '../fakes/memory-remote.ts';
import { portsUnder } from '../fakes/ports-under.ts';

export const uid = 'owner-1';

export interface TestDevice {
  readonly store: MemoryDocumentStore;
  readonly engine: SyncEngine;
  sync(): Promise<SyncOutcome>;
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
    const remote = server.connect(uid);
    const engine = createSyncEngine({
      openPorts: portsUnder({
        store: options.wrapStore ? options.wrapStore(store) : store,
        remote: options.wrapRemote ? options.wrapRemote(remote) : remote,
      }),
      clock: { now: options.now ?? (() => time.nowMs) },
      newId,
      log: () => undefined,
      rules: options.rules ?? {},
      pullPageSize: options.pullPageSize ?? 500,
    });
    return { store, engine, sync: () => engine.run(new AbortController().signal) };
  };
  return { server, time, device };
}
