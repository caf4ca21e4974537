import { admin } from '../caller.ts';
import type { ObjectVersion } from './objects/bucket.ts';
import { defaultSettings, mergeSettings } from './objects/object-settings.ts';
import { StorageError } from './storage-error.ts';
import type { Storage } from './storage.ts';
import type { StoredObject } from './objects/stored-object.ts';

interface AdminSettings {
  readonly contentType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface AdminListQuery {
  readonly prefix: string;
  readonly limit?: number;
  /** The `next` of the previous page; none for the first page. */
  readonly after?: string | null;
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
      return upload(admin, {
        name,
        settings: mergeSettings(defaultSettings, { ...settings }),
        md5Hash: null,
        announcedSize: null,
        body: contents instanceof Uint8Array ? once(contents) : contents,
      });
    },
    get: (name: string): StoredObject | null => bucket.peek(name),
    /** Resolves to null when there is no such object. */
    async read(name: string): Promise<Uint8Array | null> {
      const opened = await bucket.open(admin, name).catch(ifNotFound(null));
      try {
        return (await opened?.file.readFile()) ?? null;
      } finally {
        await opened?.file.close();
      }
    },
    /**
     * Returns at most `limit` of the objects whose name starts with the prefix, in the order of their names, and the
     * `after` of the next page, which is null on the last one.
     */
    list({ prefix, limit = Infinity, after = null }: AdminListQuery) {
      const query = { prefix, delimiter: '', maxResults: limit, after };
      const { items, next } = bucket.list(admin, query);
      return { objects: items.flatMap((name) => bucket.peek(name) ?? []), next };
    },
    /** Resolves to false when there was no such object. */
    delete: (name: string) => bucket.remove(admin, name).then(() => true, ifNotFound(false)),
    /**
     * Changes custom metadata: a null removes its key, and other keys stay. Contents and generation stay as well.
     * @returns null, without a change, when the object was overwritten, changed or deleted since it was seen.
     */
    updateUnchanged: (seen: ObjectVersion, metadata: Readonly<Record<string, string | null>>) =>
      bucket.update(admin, seen, { metadata }).catch(ifNotFound(null)),
    /** Resolves to false, without deleting, when the object was overwritten, changed or deleted since it was seen. */
    deleteUnchanged: (seen: ObjectVersion) =>
      bucket.remove(admin, seen).then(() => true, ifNotFound(false)),
  };
}

/** Returns a handler of rejections that replaces `not-found` by a value. */
const ifNotFound =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof StorageError && error.code === 'not-found') return value;
    throw error;
  };

async function* once(bytes: Uint8Array) {
  yield bytes;
}
