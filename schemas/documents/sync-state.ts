import * as v from 'valibot';

/** The two kinds of document that are synced between devices. */
export const syncedCollections = ['pets', 'entries'] as const;

export type SyncedCollection = (typeof syncedCollections)[number];

/** 0: the server has exactly this. 1: to be pushed. 2: parked, since the server refused it for good. */
export type Pending = 0 | 1 | 2;

/** A content value on this device. Instants are epoch milliseconds, calendar dates are `YYYY-MM-DD`. */
export type FieldValue = string | number;

/** Content by field name; a field that is not set is absent, never null. */
export type Fields = Readonly<Record<string, FieldValue>>;

/** When each field was last edited: epoch milliseconds of the corrected clock, at least one more than any stamp seen. */
export type EditStamps = Readonly<Record<string, number>>;

/** The server's state that a pending copy was forked from. */
export interface Base {
  readonly fields: Fields;
  readonly edits: EditStamps;
}

/**
 * The sync state of each pet and entry, on this device only. It is part of the document so that content and sync state
 * change in one transaction.
 */
export interface SyncState {
  readonly pending: Pending;
  /**
   * The server's `seq` that this copy was taken or forked from; null: not on the server as far as is known; 0: on the
   * server without a seq (written by an earlier client).
   */
  readonly seq: number | null;
  /** Set while pending if the document was on the server; null for clean and for new documents. */
  readonly base: Base | null;
  /** Incremented by each edit made on this device. */
  readonly rev: number;
  /**
   * The reason why it is parked or read-only: `refused:` and the server's code, `pet-deleted`, `newer-schema`; else
   * null.
   */
  readonly code: string | null;
}

export const editStampsSchema = v.record(v.string(), v.number());
