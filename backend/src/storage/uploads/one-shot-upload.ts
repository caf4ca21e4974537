import { ownerOf, type StorageAuth, type StorageCaller } from '../access-policy.ts';
import type { Bucket, UploadTarget } from '../objects/bucket.ts';
import type { FileStore } from '../file-store.ts';
import { checkObjectName } from '../objects/object-name.ts';
import { StorageError, invalid } from '../storage-error.ts';
import type { FileUsage } from '../usage.ts';
import type { StoredObject } from '../objects/stored-object.ts';

export interface OneShotUpload extends UploadTarget {
  readonly body: AsyncIterable<Uint8Array>;
  /** The announced size in bytes; null when it is unknown. */
  readonly announcedSize: number | null;
}

export interface OneShotDeps {
  readonly bucket: Bucket;
  readonly files: FileStore;
  readonly newId: () => string;
  readonly maxBytes: number;
  readonly usage: FileUsage;
}

export type StorageUser = StorageAuth | null;

/** The assumed size of an upload of unknown size, so that the policy is checked before anything is written. */
export const leastBytes = 1;

export function checkAnnounced(size: number | null, maxBytes: number): void {
  if (size !== null && size > maxBytes) throw tooLarge(maxBytes);
}

/** Uploads an object in one request, atomically. */
export function createOneShotUpload({ bucket, files, newId, maxBytes, usage }: OneShotDeps) {
  return async (caller: StorageCaller, upload: OneShotUpload): Promise<StoredObject> => {
    const { announcedSize, body } = upload;
    checkObjectName(upload.name);
    checkAnnounced(announcedSize, maxBytes);
    bucket.checkUpload(caller, { ...upload, size: announcedSize ?? leastBytes });
    const owner = ownerOf(caller);
    usage.check(owner, { files: 1, bytes: announcedSize ?? leastBytes });
    const fileId = newId();
    try {
      const appended = await files.append(
        fileId,
        0,
        usage.meter(owner, limitBytes(body, maxBytes, tooLarge(maxBytes))),
      );
      if (appended.interruption !== null) throw appended.interruption;
      return await bucket.commit(caller, { ...upload, fileId });
    } catch (error) {
      await files.removePart(fileId);
      throw error;
    }
  };
}

export const tooLarge = (maxBytes: number): StorageError =>
  new StorageError('too-large', `An upload must have at most ${maxBytes} bytes.`);

export const wrongSize = (): StorageError =>
  invalid('The upload does not have the size that was announced.');

export async function* limitBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  error: StorageError,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw error;
    yield piece;
  }
}
