/** The codes of refusals, and the HTTP status of each. */
export const httpCodes = {
  invalid: 400,
  /** The body ended before it was complete. */
  interrupted: 400,
  unauthenticated: 401,
  /** The owner has reached the quota. */
  'over-quota': 402,
  denied: 403,
  'not-found': 404,
  'too-large': 413,
  'too-many': 429,
  /** The disk of the server is full. */
  'no-room': 503,
} as const;

type StorageErrorCode = keyof typeof httpCodes;

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
