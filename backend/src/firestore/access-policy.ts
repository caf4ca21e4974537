import { admin, type Caller, type User } from '../caller.ts';
import type { Query } from './query/query.ts';
import type { Fields, TimestampValue } from './values/value.ts';

export interface DocumentState {
  readonly path: string;
  readonly fields: Fields;
}

interface RequestBase {
  readonly auth: User;
  /** The time that a server timestamp of the same request gets. */
  readonly time: TimestampValue;
  /** The state before the commit. */
  readonly get: (path: string) => DocumentState | null;
  /** The state after the whole commit; for reads the same as `get`. */
  readonly getAfter: (path: string) => DocumentState | null;
}

export interface DocumentRequest extends RequestBase {
  readonly operation: 'get' | 'create' | 'update' | 'delete';
  readonly path: string;
  readonly before: DocumentState | null;
  readonly after: DocumentState | null;
  /** A policy counts the document accesses of all operations of one request in this set. */
  readonly accessed: Set<string>;
}

export interface ListRequest extends RequestBase {
  readonly operation: 'list';
  readonly query: Query;
}

export type AccessRequest = DocumentRequest | ListRequest;

/**
 * Decides whether a read or a write is allowed; called before each of them. A list is decided on its query, never on the
 * documents that it would find.
 */
export type AccessPolicy = (request: AccessRequest) => boolean;

export type Reading = Pick<DocumentRequest, 'path' | 'get' | 'time' | 'accessed'>;

/** Whether the caller may read a document. */
export function mayRead(policy: AccessPolicy, caller: Caller, reading: Reading): boolean {
  if (caller === admin) return true;
  const { path, get } = reading;
  const before = get(path);
  const state = { before, after: before, getAfter: get };
  return policy({ ...reading, ...state, auth: caller, operation: 'get' });
}
