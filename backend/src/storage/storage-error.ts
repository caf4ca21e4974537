export type StorageErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'denied'
  | 'not-found'
  | 'too-large'
  | 'too-many'
  /** The owner has reached the quota. */
  | 'over-quota'
  /** The disk of the server is full. */
  | 'no-room'
  /** The body ended before it was complete. */
  | 'interrupted';

/** An expected refusal; its message is one sentence for the client. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string) {
    super(message);
    this.name = 'StorageError';
    this.code = code;
  }
}

export const invalid = (message: string): StorageError => new StorageError('invalid', message);

export const notFound = (): StorageError => new StorageError('not-found', 'Not Found.');
