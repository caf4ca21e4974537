import type { Log } from '../../log.ts';
import type { Channel } from '../../stream.ts';
import { toFirestoreError, type FirestoreError } from '../firestore-error.ts';

/** The sending side of one stream. */
export interface StreamSink extends Pick<Channel, 'send' | 'drained'> {
  /** Sends the error as the last message. */
  fail(error: FirestoreError): void;
}

/** Converts an error for the client, and logs an unexpected one. */
export const toStreamError = (error: unknown, log: Log) =>
  toFirestoreError(error, log, 'stream failed');
