import { afterCommit, afterPull } from './checkpoint.ts';
import { mergeRemote, type Merge } from './merge/merge.ts';
import { planPush, type PlanPush } from './push/push-plan.ts';
import { areSettled, parked, settled } from './push/push-settle.ts';
import { markUnsynced } from './mark-unsynced.ts';

/** The engine's decisions, separate from the I/O that carries them out. All are pure. */
export interface SyncRules {
  readonly merge: Merge;
  readonly planPush: PlanPush;
  readonly settled: typeof settled;
  readonly areSettled: typeof areSettled;
  readonly parked: typeof parked;
  readonly markUnsynced: typeof markUnsynced;
  readonly afterPull: typeof afterPull;
  readonly afterCommit: typeof afterCommit;
}

export const syncRules: SyncRules = {
  merge: mergeRemote,
  planPush,
  settled,
  areSettled,
  parked,
  markUnsynced,
  afterPull,
  afterCommit,
};
