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
  /** The stored object, or null. */
  readonly resource: StorageResource | null;
  /** The object after the operation, `request.resource` in the rules; null unless creating or updating. */
  readonly newResource: StorageResource | null;
  readonly timeMs: number;
}

export interface StorageAuth {
  readonly uid: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The fields of `resource` in storage rules; times in milliseconds since the epoch. */
export interface StorageResource {
  readonly name: string;
  readonly bucket: string;
  readonly generation: number;
  readonly metageneration: number;
  readonly size: number;
  readonly timeCreatedMs: number;
  readonly updatedMs: number;
  readonly md5Hash: string | null;
  readonly crc32c: string | null;
  readonly etag: string;
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly contentEncoding: string;
  readonly contentLanguage: string | null;
  readonly cacheControl: string | null;
  /** A map, because clients choose its keys freely. */
  readonly metadata: ReadonlyMap<string, string>;
}

export type StorageAccessPolicy = (request: StorageAccessRequest) => boolean;

/** Stands for the process itself, which bypasses the policy. */
export const storageAdmin = Symbol('storage admin');

export type StorageCaller = StorageAuth | null | typeof storageAdmin;

/** Returns the owner that is charged for an upload: null for the process itself, one for all anonymous callers. */
export const ownerOf = (caller: StorageCaller): string | null =>
  caller === storageAdmin ? null : (caller?.uid ?? '');
