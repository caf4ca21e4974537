import { pictureCacheMaxBytes } from '../../schemas/limits.ts';
import type { CachedPicture } from '../../schemas/outbox-job.ts';
import { useIndex, type OutboxDatabase } from './outbox-database.ts';

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
  readonly database: Pick<OutboxDatabase, 'pictures' | 'transaction'>;
  readonly now: () => number;
  readonly maxBytes?: number;
}

/** The second part of a key of {@link useIndex}. */
function byteLengthOf(use: unknown): number {
  return Array.isArray(use) ? Number(use[1]) : 0;
}

export function createPictureCache(deps: PictureCacheDeps): PictureCache {
  const { database, now, maxBytes = pictureCacheMaxBytes } = deps;
  const { pictures } = database;

  /** From the index alone, without reading a picture. One that is too large for the cache goes at once. */
  const makeRoom = async (): Promise<void> => {
    const byUse = pictures.orderBy(useIndex);
    const [uses, petIds] = [await byUse.keys(), await byUse.primaryKeys()];
    let total = 0;
    const tooMany = petIds.toReversed().filter((_petId, index) => {
      total += byteLengthOf(uses.at(-1 - index));
      return total > maxBytes;
    });
    await pictures.bulkDelete(tooMany);
  };

  return {
    get: async (petId) => (await pictures.get(petId)) ?? null,
    petIds: () => pictures.toCollection().primaryKeys(),
    keep: (picture) =>
      database.transaction('rw', pictures, async () => {
        const byteLength = picture.bytes.byteLength;
        await pictures.put({ ...picture, byteLength, usedAtMs: now() });
        await makeRoom();
      }),
    remove: (petId) => pictures.delete(petId),
    touch: async (petId) => {
      await pictures.update(petId, { usedAtMs: now() });
    },
  };
}
