import { randomBytes } from 'node:crypto';
import { ownerOf, type Caller } from '../../caller.ts';
import type { Bucket, UploadTarget } from '../objects/bucket.ts';
import type { FileStore } from '../file-store.ts';
import { checkObjectName } from '../objects/object-name.ts';
import { StorageError, invalid } from '../storage-error.ts';
import type { FileUsage } from '../usage.ts';
import type { StoredObject } from '../objects/stored-object.ts';

/** An upload before its bytes have arrived. */
export interface AnnouncedUpload extends UploadTarget {
  /** The announced size in bytes; null when it is unknown. */
  readonly announcedSize: number | null;
}

interface OneShotUpload extends AnnouncedUpload {
  readonly body: AsyncIterable<Uint8Array>;
}

export interface UploadDeps {
  readonly bucket: Bucket;
  readonly files: FileStore;
  readonly maxBytes: number;
  readonly usage: FileUsage;
}

export const newFileId = (): string => randomBytes(24).toString('base64url');

/** The assumed size of an upload of unknown size, so that the policy is checked before anything is written. */
const leastBytes = 1;

/** Checks an upload before anything of it is written. @throws {StorageError} */
export function checkAnnounced(
  { bucket, maxBytes, usage }: UploadDeps,
  caller: Caller,
  upload: AnnouncedUpload,
): void {
  const size = upload.announcedSize ?? leastBytes;
  checkObjectName(upload.name);
  if (size > maxBytes) throw tooLarge(maxBytes);
  bucket.checkUpload(caller, upload, size);
  usage.check(ownerOf(caller), 1, size);
}

/** Uploads an object in one request, atomically. */
export function createOneShotUpload(deps: UploadDeps) {
  const { bucket, files, maxBytes, usage } = deps;
  return async (caller: Caller, upload: OneShotUpload): Promise<StoredObject> => {
    const { body } = upload;
    checkAnnounced(deps, caller, upload);
    const fileId = newFileId();
    return usage.run(ownerOf(caller), 'files', async (meter) => {
      try {
        const pieces = meter(body, maxBytes, tooLarge(maxBytes));
        const appended = await files.append(fileId, 0, pieces);
        if (appended.interruption !== null) throw appended.interruption;
        return await bucket.commit(caller, { ...upload, fileId });
      } catch (error) {
        await files.removePart(fileId);
        throw error;
      }
    });
  };
}

export const tooLarge = (maxBytes: number): StorageError =>
  new StorageError('too-large', `An upload must have at most ${maxBytes} bytes.`);

export const wrongSize = (): StorageError =>
  invalid('The upload does not have the size that was announced.');
