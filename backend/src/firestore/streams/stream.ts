import type { Log } from '../../log.ts';
import { grpcCode, toFirestoreError, type FirestoreError } from '../firestore-error.ts';

/** The sending side of one stream, provided by the transport. */
export interface StreamSink {
  send(message: unknown): void;
  /**
   * Returns undefined while the reader keeps up. Otherwise resolves to true once it does again, or to false after some
   * seconds or when the transport closes.
   */
  drained(): Promise<boolean> | undefined;
  /** Sends the error as the last message; the client's later messages are ignored. */
  fail(error: FirestoreError): void;
}

/** Handles the client's messages, which arrive in order and exactly once. */
export interface StreamHandler {
  onMessage(message: unknown): void;
  /** Returns a promise when the next message has to wait until it resolves. */
  readonly drained?: () => Promise<void> | undefined;
  /** Called in place of a message that was too large to be decoded. */
  onOversized(): void;
  /** Whether the client may send batches of several megabytes. */
  readonly takesLargeMessages?: boolean;
  onClose(): void;
}

/** Converts an error for the client, and logs an unexpected one. */
export const toStreamError = (error: unknown, log: Log) =>
  toFirestoreError(error, log, 'stream failed');

export const encodeStatus = (error: FirestoreError) => ({
  code: grpcCode(error.status),
  message: error.message,
  status: error.status,
});
