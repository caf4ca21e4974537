import type { Clock, Log, RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { commitMaxDocuments } from '../../schemas/limits.ts';
import { abortableRemote, abortableStore } from './abortable.ts';
import { createPagePace } from './pull/page-pace.ts';
import { createServerClock, type ServerClockDeps } from './server-clock.ts';
import { syncRules, type SyncRules } from './sync-rules.ts';
import { syncOnce, type SyncOutcome } from './sync-run.ts';

/** Keeps one owner's documents the same on this device and on the server. See replication/SPEC.md. */
export interface SyncEngine {
  /** Syncs once, from pull to push until nothing is pending. Never rejects. Ends at its next step when aborted. */
  run(signal: AbortSignal): Promise<SyncOutcome>;
}

export interface SyncEngineDeps {
  readonly store: DocumentStore;
  readonly remote: RemoteDocuments;
  readonly clock: Pick<Clock, 'now'>;
  /** Random ids, for epochs and this installation. */
  readonly newId: () => string;
  readonly log: Log;
  /** Overrides single rules. */
  readonly rules?: Partial<SyncRules>;
  /** The maximum number of documents in one page of a pull. */
  readonly pullPageSize?: number;
}

/** The first page is small because 500 notes take a minute on a slow link. */
const firstPageSize = 100;

export function createSyncEngine(deps: SyncEngineDeps): SyncEngine {
  const { clock, newId, log, pullPageSize = 500 } = deps;
  /** The store of the current run, which refuses every call once that run is aborted. */
  let current = deps.store;
  const clockStore: ServerClockDeps['store'] = {
    readRecord: (id) => current.readRecord(id),
    commit: (writes) => current.commit(writes),
  };
  const serverClock = createServerClock({ store: clockStore, clock, newId });
  const rules = { ...syncRules, ...deps.rules };
  const deviceNow = () => clock.now();
  const pullPace = createPagePace({ now: deviceNow, first: firstPageSize, most: pullPageSize });
  const push = { first: commitMaxDocuments, most: commitMaxDocuments };
  const pushPace = createPagePace({ now: deviceNow, ...push });
  return {
    run: (signal) => {
      const store = abortableStore(deps.store, signal);
      current = store;
      const remote = abortableRemote(deps.remote, signal);
      const ports = { store, remote, serverClock, newId, log, deviceNow };
      return syncOnce({ ...ports, rules, pullPace, pushPace }, signal);
    },
  };
}
