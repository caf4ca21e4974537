import type { Log, RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../store/document-store.ts';
import { afterCommit, afterPull } from './checkpoint.ts';
import { mergeRemote, type Merge } from './merge.ts';
import { parked, settled } from './push-settle.ts';
import { planPush, type PlanPush } from './push-plan.ts';
import type { ServerClock } from './server-clock.ts';
import { unbased } from './unbase.ts';

/** The decisions of the engine, apart from the reading and writing that carries them out. All are pure. */
export interface SyncRules {
  readonly merge: Merge;
  readonly planPush: PlanPush;
  readonly settled: typeof settled;
  readonly parked: typeof parked;
  readonly unbased: typeof unbased;
  readonly afterPull: typeof afterPull;
  readonly afterCommit: typeof afterCommit;
}

export const syncRules: SyncRules = {
  merge: mergeRemote,
  planPush,
  settled,
  parked,
  unbased,
  afterPull,
  afterCommit,
};

/** What one run works with. The ports refuse every call once the run was aborted. */
export interface SyncContext {
  readonly store: DocumentStore;
  readonly remote: RemoteDocuments;
  readonly rules: SyncRules;
  readonly serverClock: ServerClock;
  readonly newId: () => string;
  readonly log: Log;
  /** This device's own clock, for what is shown to its owner. */
  readonly deviceNow: () => number;
  readonly pullPageSize: number;
}
