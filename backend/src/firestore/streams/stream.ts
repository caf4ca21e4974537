import { grpcCode, type FirestoreError } from '../firestore-error.ts';

/** The server's half of one stream, as the transport offers it. */
export interface StreamSink {
  send(message: unknown): void;
  /**
   * Undefined while the reader keeps up; else it resolves when it does again, or with false after some seconds or when the
   * transport is closed.
   */
  drained(): Promise<boolean> | undefined;
  /** Sends the error as the last message; the client's later messages are ignored. */
  fail(error: FirestoreError): void;
}

/** What a stream does with the client's messages, which come in order and once. */
export interface StreamHandler {
  onMessage(message: unknown): void;
  /** A message was too large to be looked at. */
  onOversized(): void;
  /** Whether the client may send batches of several megabytes. */
  readonly takesLargeMessages?: boolean;
  onClose(): void;
}

export const encodeStatus = (error: FirestoreError) => ({
  code: grpcCode(error.status),
  message: error.message,
  status: error.status,
});
