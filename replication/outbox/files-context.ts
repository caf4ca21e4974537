import type { DocumentStore } from '../../store/document-store.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import type { Clock, Log, OnlineSignal, RemoteFiles, Transcriber } from '../ports.ts';

/** The dependencies of the passes over one owner's files. */
export interface FilesContext {
  readonly outbox: Outbox;
  readonly store: DocumentStore;
  readonly files: RemoteFiles;
  readonly transcriber: Transcriber;
  readonly online: Pick<OnlineSignal, 'isOnline'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Epoch milliseconds, corrected by the server's clock. */
  readonly correctedNow: () => number;
  /** Rejects if the server refuses this account altogether: then a refusal says nothing about a file. */
  readonly confirmAccount: () => Promise<void>;
  /** At least 0, below 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Called after a document was edited, so that sync pushes it. */
  readonly onWritten: () => void;
}

export interface PassOptions {
  /** Skips the backoff delays: the connection is back, or the owner asks. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
}
