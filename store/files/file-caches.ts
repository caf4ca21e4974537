import { cachedPictureId, pictureBytesId, type FileBytes } from '../../schemas/local/file-bytes.ts';
import { audioCacheMaxBytes, pictureCacheMaxBytes } from '../../schemas/limits.ts';
import type { BytesWrite } from '../document-store.ts';
import type { BytesInfo } from '../file-store.ts';
import type { OutboxDeps } from './outbox-deps.ts';

/** Identifies a picture of a pet by its hash. */
export interface PictureId {
  readonly petId: string;
  /** Base64. */
  readonly md5: string;
}

/** A downloaded file. */
export interface FetchedFile {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
}

/** Copies of the server's files for use without a connection, and pictures that were kept as conflict versions. */
export interface FileCaches {
  /** Returns the pet's picture that was last downloaded or uploaded. */
  picture(petId: string): Promise<FileBytes | null>;
  /** Returns a picture that is pending or a conflict version; null if it is neither. */
  version(picture: PictureId): Promise<FileBytes | null>;
  /** Returns a recording by its name on the server. */
  recording(objectName: string): Promise<FileBytes | null>;
  /** Lists all pictures on this device: cached and pending ones, and conflict versions. */
  pictures(): Promise<readonly BytesInfo[]>;
  /** Lists all recordings on this device: cached and pending ones. */
  recordings(): Promise<readonly BytesInfo[]>;
  /** Marks a file as used now, for LRU eviction. */
  use(id: string): Promise<void>;
  /** Returns the write that stores a picture as a conflict version, to be committed with the record of the version. */
  asVersion(picture: PictureId, file: FetchedFile): BytesWrite;
  keepPicture(petId: string, file: FetchedFile): Promise<void>;
  keepRecording(entryId: string, objectName: string, file: FetchedFile): Promise<void>;
  /**
   * Evicts the least recently used files above the limits, since they can be fetched again, and every file that no job
   * and no version needs any more.
   * @param gone pets whose pictures are all removed.
   */
  evictLeastRecentlyUsed(gone?: ReadonlySet<string>): Promise<void>;
}

export function createFileCaches(deps: OutboxDeps): FileCaches {
  const { store, files, now } = deps;
  const maxBytes = {
    'profile-picture': deps.pictureCacheMaxBytes ?? pictureCacheMaxBytes,
    'voice-note': deps.audioCacheMaxBytes ?? audioCacheMaxBytes,
  };
  const evictLeastRecentlyUsed: FileCaches['evictLeastRecentlyUsed'] = (withoutPets = new Set()) =>
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
    picture: (petId) => files.read(cachedPictureId(petId)),
    version: (picture) => files.read(pictureBytesId(picture)),
    recording: (objectName) => files.read(objectName),
    pictures: () => files.list('profile-picture'),
    recordings: () => files.list('voice-note'),
    use: (id) => files.touch(id, now()),
    asVersion: (picture, file) => {
      const id = pictureBytesId(picture);
      return written(file, { id, kind: 'profile-picture', documentId: picture.petId });
    },
    keepPicture: (documentId, file) => {
      const id = cachedPictureId(documentId);
      return keep(written(file, { id, kind: 'profile-picture', documentId }));
    },
    keepRecording: (documentId, id, file) =>
      keep(written(file, { id, kind: 'voice-note', documentId })),
    evictLeastRecentlyUsed,
  };
}
