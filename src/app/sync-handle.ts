import type { PokeReason } from '../../schemas/relay-message.ts';
import type { SyncActivity } from '../platform/session.ts';

/** A running sync, as the page holds it. */
export interface SyncHandle {
  /** Something was written, or the owner asks: sync soon. */
  poke(reason: PokeReason): void;
  /** Stops and lets go of the lock; the database may be closed afterwards. */
  stop(): Promise<void>;
}

export type OnActivity = (activity: SyncActivity) => void;
