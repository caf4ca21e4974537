import { cachedPictureId, pictureBytesId, type FileBytes } from '../../schemas/local/file-bytes.ts';
import { audioCacheMaxBytes, pictureCacheMaxBytes } from '../../schemas/limits.ts';
import type { BytesWrite, DocumentStore } from '../document-store.ts';
import type { BytesInfo, FileStore } from '../file-store.ts';

/** A picture of a pet, by its hash. */
export interface PictureId {
  readonly petId: string;
  /** Base64. */
  readonly md5: string;
}

/** A file as it comes from the server. */
export interface FetchedFile {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
}

/** Files that the server has, for a look without a connection, and pictures that were kept as another version. */
export interface FileCaches {
  /** The newest of a pet to come from the server, or to arrive there. */
  picture(petId: string): Promise<FileBytes | null>;
  /** null also if it is neither on its way nor a version that can be restored. */
  version(picture: PictureId): Promise<FileBytes | null>;
  /** By its name on the server. */
  recording(objectName: string): Promise<FileBytes | null>;
  /** All pictures on this device: cached ones, those on their way, and other versions. */
  pictures(): Promise<readonly BytesInfo[]>;
  /** All recordings on this device: cached ones and those on their way. */
  recordings(): Promise<readonly BytesInfo[]>;
  /** It is being looked at or listened to. */
  use(id: string): Promise<void>;
  /** The write that keeps a picture as another version, to be committed with the record of the version. */
  asVersion(picture: PictureId, file: FetchedFile): BytesWrite;
  keepPicture(petId: string, file: FetchedFile): Promise<void>;
  keepRecording(entryId: string, objectName: string, file: FetchedFile): Promise<void>;
  /**
   * Beyond the limits those go that were not used for longest; they can be fetched again. So does what no job and no
   * version needs any more.
   * @param gone pets of which nothing stays.
   */
  evictLeastRecentlyUsed(gone?: ReadonlySet<string>): Promise<void>;
}

export interface FileCachesDeps {
  readonly store: Pick<DocumentStore, 'commit'>;
  readonly files: FileStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly pictureCacheMaxBytes?: number;
  readonly audioCacheMaxBytes?: number;
}

export function createFileCaches(deps: FileCachesDeps): FileCaches {
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
