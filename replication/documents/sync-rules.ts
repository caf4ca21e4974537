import { afterCommit, afterPull } from './checkpoint.ts';
import { mergeRemote } from './merge/merge.ts';
import { planPush } from './push/push-plan.ts';
import { areSettled, parked, settled } from './push/push-settle.ts';
import { markUnsynced } from './mark-unsynced.ts';

/** The engine's decisions, separate from the I/O that carries them out. All are pure. */
export const syncRules = {
  merge: mergeRemote,
  planPush,
  settled,
  areSettled,
  parked,
  markUnsynced,
  afterPull,
  afterCommit,
};

export type SyncRules = Readonly<typeof syncRules>;
