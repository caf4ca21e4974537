import {
  cachedPictureId,
  pictureBytesId,
  type FileBytes,
  type PictureId,
} from '../../schemas/local/file-bytes.ts';
import { audioCacheMaxBytes, pictureCacheMaxBytes } from '../../schemas/limits.ts';
import type { BytesWrite } from '../document-store.ts';
import type { OutboxDeps } from './outbox-deps.ts';

/** A downloaded file. */
export interface FetchedFile {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
}

export type FileCaches = ReturnType<typeof createFileCaches>;

/** Copies of the server's files for use without a connection, and pictures that were kept as conflict versions. */
export function createFileCaches(deps: OutboxDeps) {
  const { store, files, now } = deps;
  const maxBytes = {
    'profile-picture': deps.pictureCacheMaxBytes ?? pictureCacheMaxBytes,
    'voice-note': deps.audioCacheMaxBytes ?? audioCacheMaxBytes,
  };
  /**
   * Evicts the least recently used files above the limits, since they can be fetched again, and every file that no job
   * and no version needs any more.
   * @param withoutPets pets whose pictures are all removed.
   */
  const evictLeastRecentlyUsed = (withoutPets: ReadonlySet<string> = new Set()): Promise<void> =>
    files.evictLeastRecentlyUsed({ maxBytes, withoutPets });

  const written = (
    { bytes, contentType, md5 }: FetchedFile,
    of: Pick<FileBytes, 'id' | 'kind' | 'documentId'>,
  ): BytesWrite => {
    const { byteLength } = bytes;
    return [of.id, { ...of, bytes, contentType, md5, byteLength, usedAtMs: now() }];
  };

  const keep = async (bytes: BytesWrite): Promise<void> => {
    await store.commit({ bytes: [bytes] });
    await evictLeastRecentlyUsed();
  };

  return {
    /** Returns the pet's picture that was last downloaded or uploaded. */
    picture: (petId: string) => files.read(cachedPictureId(petId)),
    /** Returns a picture that is pending or a conflict version; null if it is neither. */
    version: (picture: PictureId) => files.read(pictureBytesId(picture)),
    /** Returns a recording by its name on the server. */
    recording: (objectName: string) => files.read(objectName),
    /** Lists all pictures on this device: cached and pending ones, and conflict versions. */
    pictures: () => files.list('profile-picture'),
    /** Lists all recordings on this device: cached and pending ones. */
    recordings: () => files.list('voice-note'),
    /** Marks a file as used now, for LRU eviction. */
    use: (id: string) => files.touch(id, now()),
    /** Returns the write that stores a picture as a conflict version, to be committed with the record of the version. */
    asVersion: (picture: PictureId, file: FetchedFile) => {
      const id = pictureBytesId(picture);
      return written(file, { id, kind: 'profile-picture', documentId: picture.petId });
    },
    keepPicture: (documentId: string, file: FetchedFile) => {
      const id = cachedPictureId(documentId);
      return keep(written(file, { id, kind: 'profile-picture', documentId }));
    },
    /** @param id its name on the server. */
    keepRecording: (documentId: string, id: string, file: FetchedFile) =>
      keep(written(file, { id, kind: 'voice-note', documentId })),
    evictLeastRecentlyUsed,
  };
}
