import type { Clock, Log, RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { commitMaxDocuments } from '../../schemas/limits.ts';
import { abortableRemote, abortableStore } from './abortable.ts';
import { createPagePace } from './pull/page-pace.ts';
import { createServerClock, type ServerClockDeps } from './server-clock.ts';
import { syncRules, type SyncRules } from './sync-rules.ts';
import { syncOnce, type SyncOutcome } from './sync-run.ts';

/** Keeps one owner's documents on this device and on the server the same. See replication/SPEC.md. */
export interface SyncEngine {
  /** One sync, from pull to push until nothing is left. Never rejects. Ends at its next step when aborted. */
  run(signal: AbortSignal): Promise<SyncOutcome>;
}

export interface SyncEngineDeps {
  readonly store: DocumentStore;
  readonly remote: RemoteDocuments;
  readonly clock: Pick<Clock, 'now'>;
  /** Random ids, for epochs and this installation. */
  readonly newId: () => string;
  readonly log: Log;
  /** Replaces single decisions. */
  readonly rules?: Partial<SyncRules>;
  /** Documents in one page of a pull, at most. */
  readonly pullPageSize?: number;
}

/** Fast enough to begin with on a slow link, where 500 notes take a minute. */
const firstPageSize = 100;

export function createSyncEngine(deps: SyncEngineDeps): SyncEngine {
  const { clock, newId, log, pullPageSize = 500 } = deps;
  /** Of the run that is under way: it refuses every call once that was aborted. */
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
