import { pictureCacheMaxBytes } from '../../schemas/limits.ts';
import type { CachedPicture } from '../../schemas/outbox-job.ts';
import { makeRoom } from './make-room.ts';
import type { FileStores } from '../../store/file-stores.ts';

/**
 * Pictures that the server has, for a look without a connection.
 *
 * - One for each dog; the newest to come replaces the one before.
 * - Beyond the limit those go that were not looked at for longest; they can be fetched again.
 */
export interface PictureCache {
  get(petId: string): Promise<CachedPicture | null>;
  /** Of all dogs that have one here. */
  petIds(): Promise<readonly string[]>;
  keep(picture: Omit<CachedPicture, 'usedAtMs' | 'byteLength'>): Promise<void>;
  remove(petId: string): Promise<void>;
  /** It was looked at. */
  touch(petId: string): Promise<void>;
}

export interface PictureCacheDeps {
  readonly database: Pick<FileStores, 'pictures' | 'transaction'>;
  readonly now: () => number;
  readonly maxBytes?: number | undefined;
}

export function createPictureCache(deps: PictureCacheDeps): PictureCache {
  const { database, now, maxBytes = pictureCacheMaxBytes } = deps;
  const { pictures } = database;

  return {
    get: async (petId) => (await pictures.get(petId)) ?? null,
    petIds: () => pictures.toCollection().primaryKeys(),
    keep: (picture) =>
      database.transaction('rw', pictures, async () => {
        const byteLength = picture.bytes.byteLength;
        await pictures.put({ ...picture, byteLength, usedAtMs: now() });
        // One that is too large for the cache goes at once.
        await makeRoom(pictures, maxBytes);
      }),
    remove: (petId) => pictures.delete(petId),
    touch: async (petId) => {
      await pictures.update(petId, { usedAtMs: now() });
    },
  };
}
