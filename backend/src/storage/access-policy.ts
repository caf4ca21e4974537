import type { User } from '../caller.ts';
import type { DraftObject } from './objects/stored-object.ts';

/**
 * A request that the rules decide, for every operation of a client except a download with a valid token.
 *
 * - Uploading contents is `create`, even over an existing object (then `resource` is that object); `update` changes
 *   metadata only, as on hosted Firebase.
 * - An upload is checked twice: at its start with the announced size (one byte if there is none) and the announced MD5
 *   hash, or null; and at its end with the actual ones. Both checks must allow it.
 */
export interface StorageAccessRequest {
  readonly method: 'get' | 'list' | 'create' | 'update' | 'delete';
  readonly bucket: string;
  /** The name of the object; for a list, the prefix without its trailing slash, empty for the root. */
  readonly path: string;
  readonly auth: User;
  readonly resource: DraftObject | null;
  /** The object after the operation, `request.resource` in the rules; null unless creating or updating. */
  readonly newResource: DraftObject | null;
  readonly timeMs: number;
}

export type StorageAccessPolicy = (request: StorageAccessRequest) => boolean;
