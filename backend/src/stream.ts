import type { Client } from './limits/client.ts';

/** The request that opens a stream. */
export interface Handshake {
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  /** By its address alone; it is gone once the session ends. */
  readonly client: Client;
  /** Charges the session to its owner. @throws {LimitError} when the owner has too many. */
  readonly admit: (uid: string) => void;
}

/** The sending side of a stream, which the transport provides. */
export interface Channel {
  send(payload: unknown): void;
  /**
   * Returns undefined while the reader keeps up. Otherwise resolves to true once it does again, or to false after some
   * seconds or when the transport closes.
   */
  drained(): Promise<boolean> | undefined;
  /** Sends the last message; the client's later messages are ignored. */
  sendLast(payload: unknown): void;
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
