import { admin } from '../caller.ts';
import { isJsonObject } from '../json.ts';
import type { ObjectVersion } from './objects/bucket.ts';
import { defaultSettings, mergeSettings } from './objects/object-settings.ts';
import { StorageError } from './storage-error.ts';
import type { Storage } from './storage.ts';
import type { StoredObject } from './objects/stored-object.ts';

export interface AdminSettings {
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface AdminListQuery {
  readonly prefix: string;
  readonly limit?: number;
  /** The `next` of the previous page; none for the first page. */
  readonly after?: string | null;
}

export interface AdminListPage {
  readonly objects: readonly StoredObject[];
  /** The `after` of the next page; null on the last page. */
  readonly next: string | null;
}

export type AdminStorage = ReturnType<typeof createAdminStorage>;

/** Storage for the embedding process: it bypasses the policy; everything else is as for a client. */
export function createAdminStorage({ bucket, upload }: Storage) {
  return {
    /** Stores the bytes, given at once or as a stream. */
    async put(
      name: string,
      contents: Uint8Array | AsyncIterable<Uint8Array>,
      settings: AdminSettings = {},
    ) {
      const json: unknown = settings;
      return upload(admin, {
        name,
        settings: mergeSettings(defaultSettings, isJsonObject(json) ? json : {}),
        md5Hash: null,
        announcedSize: null,
        body: contents instanceof Uint8Array ? once(contents) : contents,
      });
    },
    get: (name: string): StoredObject | null => bucket.peek(name),
    /** Resolves to null when there is no such object. */
    async read(name: string): Promise<Uint8Array | null> {
      if (bucket.peek(name) === null) return null;
      const { file } = await bucket.open(admin, name);
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    },
    /** Returns at most `limit` of the objects whose name starts with the prefix, in the order of their names. */
    list({ prefix, limit = Infinity, after = null }: AdminListQuery): AdminListPage {
      const query = { prefix, delimiter: '', maxResults: limit, after };
      const { items, next } = bucket.list(admin, query);
      return { objects: items.flatMap((name) => bucket.peek(name) ?? []), next };
    },
    /** Resolves to false when there was no such object. */
    async delete(name: string) {
      try {
        await bucket.remove(admin, name);
        return true;
      } catch (error) {
        if (error instanceof StorageError && error.code === 'not-found') return false;
        throw error;
      }
    },
    /**
     * Changes custom metadata: a null removes its key, and other keys stay. Contents and generation stay as well.
     * @returns null, without a change, when the object was overwritten, changed or deleted since it was seen.
     */
    updateUnchanged: (seen: ObjectVersion, metadata: Readonly<Record<string, string | null>>) =>
      bucket.updateUnchanged(seen, { metadata }),
    /** Resolves to false, without deleting, when the object was overwritten, changed or deleted since it was seen. */
    deleteUnchanged: (seen: ObjectVersion) => bucket.removeUnchanged(seen),
  };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}
