import { describeError, type Log } from '../log.ts';
import { LimitError } from '../limits/limit-error.ts';

const statusCodes = {
  CANCELLED: { grpc: 1, http: 499 },
  INVALID_ARGUMENT: { grpc: 3, http: 400 },
  NOT_FOUND: { grpc: 5, http: 404 },
  ALREADY_EXISTS: { grpc: 6, http: 409 },
  PERMISSION_DENIED: { grpc: 7, http: 403 },
  RESOURCE_EXHAUSTED: { grpc: 8, http: 429 },
  FAILED_PRECONDITION: { grpc: 9, http: 400 },
  UNIMPLEMENTED: { grpc: 12, http: 501 },
  INTERNAL: { grpc: 13, http: 500 },
  UNAVAILABLE: { grpc: 14, http: 503 },
  UNAUTHENTICATED: { grpc: 16, http: 401 },
} as const;

export type Status = keyof typeof statusCodes;

/** An expected error; its message is sent to the client and never logged. */
export class FirestoreError extends Error {
  readonly status: Status;

  constructor(status: Status, message: string) {
    super(message);
    this.name = 'FirestoreError';
    this.status = status;
  }
}

export const grpcCode = (status: Status): number => statusCodes[status].grpc;
export const httpCode = (status: Status): number => statusCodes[status].http;

export const invalidArgument = (message: string) => new FirestoreError('INVALID_ARGUMENT', message);

export const permissionDenied = () =>
  new FirestoreError('PERMISSION_DENIED', 'Missing or insufficient permissions.');

export const revoked = () => new FirestoreError('UNAUTHENTICATED', 'The ID token was revoked.');

/** Converts an error for the client. An unexpected one is logged as an event, and becomes INTERNAL without its message. */
export function toFirestoreError(error: unknown, log: Log, event: string): FirestoreError {
  if (error instanceof FirestoreError) return error;
  if (error instanceof LimitError) return new FirestoreError('RESOURCE_EXHAUSTED', error.message);
  log.error(event, describeError(error));
  return new FirestoreError('INTERNAL', 'Internal error encountered.');
}
