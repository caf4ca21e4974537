import type { Log } from '../../../replication/ports.ts';
import type { Outbox } from '../../../store/files/outbox.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import type { Queries } from '../../data/queries/queries.ts';
import type { PokeReason } from '../../../schemas/local/relay-message.ts';
import type { SyncActivity } from '../../platform/auth/session.ts';

/** The page's handle on a running sync. */
export interface SyncHandle {
  /** Has sync run soon, after a local write or a request of the owner. */
  readonly poke: (reason: PokeReason) => void;
  /** Stops sync and releases the lock. The database may be closed afterwards. */
  stop(): Promise<void>;
}

export type OnActivity = (activity: SyncActivity) => void;

/** The dependencies of one owner's sync. */
export interface SyncRequest {
  readonly uid: string;
  readonly database: PawPalsDatabase;
  readonly loadFiles: () => Promise<{ readonly outbox: Outbox }>;
  /** Retries everything that the server refused in an earlier session. Never rejects. */
  readonly retryRefused: () => Promise<void>;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly correctedNow: () => number;
  readonly log: Log;
  readonly onActivity: OnActivity;
  readonly syncOverview: Queries['syncOverview'];
  /** Called when another tab has taken the lock, as from a frozen page, whose data is older than what is stored. */
  readonly onPageResumed: () => void;
}

/** Loads the code of sync and starts it. */
export type LoadSync = (request: SyncRequest) => Promise<SyncHandle>;
