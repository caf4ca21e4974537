import * as v from 'valibot';

/** Phases of sync as a whole. `offline` is waiting, not a problem. */
const syncPhases = ['idle', 'syncing', 'offline', 'problem'] as const;

/** Why a sync is asked for. */
const pokeReasons = ['local-write', 'focus', 'online', 'bell', 'manual'] as const;
export type PokeReason = (typeof pokeReasons)[number];

/** What a screen can tell of sync as a whole. */
const syncStatusSchema = v.object({
  phase: v.picklist(syncPhases),
  /** A code, also beside `offline` if a server did not answer; null without one. */
  problem: v.nullable(v.string()),
});

export type SyncStatus = v.InferOutput<typeof syncStatusSchema>;

/** What the tabs of one owner on one device tell each other. Another version of the app may be among them. */
export const relayMessageSchema = v.variant('type', [
  v.object({ type: v.literal('ask') }),
  v.object({ type: v.literal('status'), status: syncStatusSchema }),
  v.object({ type: v.literal('poke'), reason: v.picklist(pokeReasons) }),
]);

export type RelayMessage = v.InferOutput<typeof relayMessageSchema>;

/** The name under which a page asks the browser to wake the worker once there is a connection. */
export const backgroundSyncTag = 'pawpals-sync';

/** What a page that goes tells the worker: something waits still. */
export const pageLeftMessage = 'PAGE_LEFT';
