import type { DraftObject } from './objects/stored-object.ts';

/**
 * A request that the rules decide, for every operation of a client except a download with a valid token.
 *
 * - Uploading contents is `create`, even over an existing object (then `resource` is that object); `update` changes
 *   metadata only, as on hosted Firebase.
 * - An upload is checked twice: at its start with the announced size (one byte if there is none) and the announced
 *   checksums, or null; and at its end with the actual ones. Both checks must allow it.
 */
export interface StorageAccessRequest {
  readonly method: 'get' | 'list' | 'create' | 'update' | 'delete';
  readonly bucket: string;
  /** The name of the object; for a list, the prefix without its trailing slash, empty for the root. */
  readonly path: string;
  /** Null when nobody is signed in. */
  readonly auth: StorageAuth | null;
  readonly resource: DraftObject | null;
  /** The object after the operation, `request.resource` in the rules; null unless creating or updating. */
  readonly newResource: DraftObject | null;
  readonly timeMs: number;
}

export interface StorageAuth {
  readonly uid: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export type StorageAccessPolicy = (request: StorageAccessRequest) => boolean;

/** Stands for the process itself, which bypasses the policy. */
export const storageAdmin = Symbol('storage admin');

export type StorageCaller = StorageAuth | null | typeof storageAdmin;

/** Returns the owner that is charged for an upload: null for the process itself, one for all anonymous callers. */
export const ownerOf = (caller: StorageCaller): string | null =>
  caller === storageAdmin ? null : (caller?.uid ?? '');
