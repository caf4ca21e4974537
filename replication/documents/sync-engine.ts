import type { Clock, Log, RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../store/document-store.ts';
import { abortableRemote, abortableStore } from './abortable.ts';
import { createServerClock } from './server-clock.ts';
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
  /** Documents in one page of a pull. */
  readonly pullPageSize?: number;
}

export function createSyncEngine(deps: SyncEngineDeps): SyncEngine {
  const { clock, newId, log, pullPageSize = 500 } = deps;
  const serverClock = createServerClock(deps);
  const rules = { ...syncRules, ...deps.rules };
  const deviceNow = () => clock.now();
  return {
    run: (signal) => {
      const store = abortableStore(deps.store, signal);
      const remote = abortableRemote(deps.remote, signal);
      const ports = { store, remote, serverClock, newId, log, deviceNow };
      return syncOnce({ ...ports, rules, pullPageSize }, signal);
    },
  };
}
