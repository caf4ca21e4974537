/**
 * The question put to the rules before every operation of a client. A download with a valid token is not asked about.
 *
 * - Uploading contents is `create`, also over an existing object (then `resource` is that object); `update` changes
 *   metadata only. So it is with hosted Firebase.
 * - An upload is judged twice: at its start with the announced size (one byte if there is none) and the checksums that
 *   were announced, or null; and at its end with the true ones. Both must allow it.
 */
export interface StorageAccessRequest {
  readonly method: 'get' | 'list' | 'create' | 'update' | 'delete';
  readonly bucket: string;
  /** The object's name; of a list the prefix without its last slash, empty for the root. */
  readonly path: string;
  /** Null when nobody is signed in. */
  readonly auth: StorageAuth | null;
  /** What is stored now, or null. */
  readonly resource: StorageResource | null;
  /** What will be stored: `request.resource` of the rules; null unless creating or updating. */
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
  /** A map, because its keys are anything a client chose. */
  readonly metadata: ReadonlyMap<string, string>;
}

export type StorageAccessPolicy = (request: StorageAccessRequest) => boolean;

/** Stands for the process itself, which no policy is asked about. */
export const STORAGE_ADMIN = Symbol('storage admin');

export type StorageCaller = StorageAuth | null | typeof STORAGE_ADMIN;

/** The owner that is charged for an upload: null for the process itself; all callers without a sign-in are one owner. */
export const ownerOf = (caller: StorageCaller): string | null =>
  caller === STORAGE_ADMIN ? null : (caller?.uid ?? '');
