import { isJsonObject } from '../json.ts';
import { STORAGE_ADMIN } from './access-policy.ts';
import type { ObjectVersion } from './objects/bucket.ts';
import { DEFAULT_SETTINGS, mergeSettings } from './objects/object-settings.ts';
import { StorageError } from './storage-error.ts';
import type { Storage } from './storage.ts';
import type { StoredObject } from './objects/stored-object.ts';

/** Files, for the process that embeds the server: no policy is asked, everything else is as for a client. */
export interface AdminStorage {
  /** The bytes whole or as they come. */
  put(
    name: string,
    contents: Uint8Array | AsyncIterable<Uint8Array>,
    settings?: AdminSettings,
  ): Promise<AdminObject>;
  get(name: string): AdminObject | null;
  /** Null when there is no such object. */
  read(name: string): Promise<Uint8Array | null>;
  /** Everything whose name starts with the prefix. */
  list(prefix: string): readonly AdminObject[];
  /** At most `limit` of what `list` tells, in the order of names. */
  listPage(query: AdminListQuery): AdminListPage;
  /** False when there was none. */
  delete(name: string): Promise<boolean>;
  /**
   * Changes custom metadata: a null removes its key, and other keys stay. Contents and generation stay as well.
   * @returns null when the object was uploaded anew, changed or deleted since it was seen; then nothing is done.
   */
  updateUnchanged(
    seen: ObjectVersion,
    metadata: Readonly<Record<string, string | null>>,
  ): Promise<AdminObject | null>;
  /** False when the object was uploaded anew, changed or deleted since it was seen; then nothing is done. */
  deleteUnchanged(seen: ObjectVersion): Promise<boolean>;
  /** Durable when it resolves; repeating it does no harm. */
  deleteUnder(prefix: string): Promise<number>;
  /** One more URL for the same contents. */
  addDownloadToken(name: string): Promise<AdminObject>;
  /** When it was the last one, a new one takes its place. */
  revokeDownloadToken(name: string, token: string): Promise<AdminObject>;
}

export interface AdminSettings {
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface AdminListQuery {
  readonly prefix: string;
  readonly limit: number;
  /** The `next` of the page before; null for the first page. */
  readonly after: string | null;
}

export interface AdminListPage {
  readonly objects: readonly AdminObject[];
  /** Null on the last page. */
  readonly next: string | null;
}

export interface AdminObject extends ObjectVersion {
  readonly size: number;
  readonly contentType: string;
  /** Base64. */
  readonly md5Hash: string;
  readonly downloadTokens: readonly string[];
  readonly createdMs: number;
  /** Custom metadata. */
  readonly metadata: ReadonlyMap<string, string>;
}

export function createAdminStorage(
  { bucket, upload }: Storage,
  newToken: () => string,
): AdminStorage {
  return {
    async put(name, contents, settings = {}) {
      const json: unknown = settings;
      const object = await upload(STORAGE_ADMIN, {
        name,
        settings: mergeSettings(DEFAULT_SETTINGS, isJsonObject(json) ? json : {}),
        md5Hash: null,
        announcedSize: null,
        body: contents instanceof Uint8Array ? once(contents) : contents,
      });
      return toAdminObject(object);
    },
    get(name) {
      const object = bucket.peek(name);
      return object && toAdminObject(object);
    },
    async read(name) {
      if (bucket.peek(name) === null) return null;
      const { file } = await bucket.open(STORAGE_ADMIN, name);
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    },
    list: (prefix) => bucket.under(prefix).map(toAdminObject),
    listPage({ prefix, limit, after }) {
      const query = { prefix, delimiter: '', maxResults: limit, after };
      const { items, next } = bucket.list(STORAGE_ADMIN, query);
      const objects = items.flatMap((name) => bucket.peek(name) ?? []);
      return { objects: objects.map(toAdminObject), next };
    },
    async delete(name) {
      try {
        await bucket.remove(STORAGE_ADMIN, name);
        return true;
      } catch (error) {
        if (error instanceof StorageError && error.code === 'not-found') return false;
        throw error;
      }
    },
    async updateUnchanged(seen, metadata) {
      const object = await bucket.updateUnchanged(seen, { metadata });
      return object && toAdminObject(object);
    },
    deleteUnchanged: (seen) => bucket.removeUnchanged(seen),
    deleteUnder: (prefix) => bucket.removeUnder(prefix),
    addDownloadToken: async (name) =>
      toAdminObject(await bucket.changeTokens(name, (tokens) => [...tokens, newToken()])),
    revokeDownloadToken: async (name, token) =>
      toAdminObject(
        await bucket.changeTokens(name, (tokens) => tokens.filter((each) => each !== token)),
      ),
  };
}

async function* once(bytes: Uint8Array) {
  yield bytes;
}

const toAdminObject = (object: StoredObject): AdminObject => ({
  name: object.name,
  generation: object.generation,
  metageneration: object.metageneration,
  size: object.size,
  contentType: object.settings.contentType,
  md5Hash: object.md5Hash,
  downloadTokens: object.downloadTokens,
  createdMs: object.createdMs,
  metadata: object.settings.custom,
});
