import type { Log } from '../../../replication/ports.ts';
import type { Outbox } from '../../../store/files/outbox.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import type { Queries } from '../../data/queries/queries.ts';
import type { PokeReason } from '../../../schemas/local/relay-message.ts';
import type { SyncActivity } from '../../platform/auth/session.ts';

/** A running sync, as the page holds it. */
export interface SyncHandle {
  /** Something was written, or the owner asks: sync soon. */
  poke(reason: PokeReason): void;
  /** Stops and lets go of the lock; the database may be closed afterwards. */
  stop(): Promise<void>;
}

export type OnActivity = (activity: SyncActivity) => void;

/** What sync of one owner needs of the page. */
export interface SyncRequest {
  readonly uid: string;
  readonly database: PawPalsDatabase;
  readonly loadFiles: () => Promise<{ readonly outbox: Outbox }>;
  /** Has what the server refused in an earlier session tried again. Never rejects. */
  readonly retryRefused: () => Promise<void>;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly correctedNow: () => number;
  readonly log: Log;
  readonly onActivity: OnActivity;
  readonly syncOverview: Queries['syncOverview'];
  /** The page was frozen, and has missed what other tabs and the worker wrote meanwhile. */
  readonly onPageResumed: () => void;
}

/** Loads the code of sync and starts it. */
export type LoadSync = (request: SyncRequest) => Promise<SyncHandle>;
