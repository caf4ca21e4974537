import * as v from 'valibot';

/** The reasons for which a sync is requested. */
const pokeReasons = ['local-write', 'focus', 'online', 'bell', 'manual'] as const;
export type PokeReason = (typeof pokeReasons)[number];

/** The status of sync, as it is shown. */
const syncStatusSchema = v.object({
  /** `offline` is a wait, not a problem. */
  phase: v.picklist(['idle', 'syncing', 'offline', 'problem']),
  /**
   * A code, also with `offline` if a server did not answer, and with `syncing` if the run before had a problem; null
   * without a problem.
   */
  problem: v.nullable(v.string()),
});

export type SyncStatus = v.InferOutput<typeof syncStatusSchema>;

/** A message between the tabs of one owner on one device. They may run different versions of the app. */
export const relayMessageSchema = v.variant('type', [
  v.object({ type: v.literal('ask') }),
  v.object({ type: v.literal('status'), status: syncStatusSchema }),
  v.object({ type: v.literal('poke'), reason: v.picklist(pokeReasons) }),
]);

export type RelayMessage = v.InferOutput<typeof relayMessageSchema>;

/** The name under which a page asks the browser to wake the worker once there is a connection. */
export const backgroundSyncTag = 'pawpals-sync';

/** The message from a closing page to the worker: something is still pending. */
export const pageLeftMessage = 'PAGE_LEFT';
