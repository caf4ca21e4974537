import type { PlaceFileJob } from '../../schemas/local/local-record.ts';
import { pictureType } from '../../schemas/local/outbox-job.ts';
import type { FetchedFile, FileCaches } from './file-caches.ts';

export interface PlacedPictureDeps {
  readonly caches: Pick<FileCaches, 'version' | 'picture'>;
  /** Downloads a file; null if the server does not have it. */
  readonly download: (objectName: string) => Promise<FetchedFile | null>;
}

/**
 * Finds the picture of a pet that was restored: a conflict version or a cached picture of this device, else a file of
 * the server. @param petId the id of the restored pet. @returns null if neither has it.
 */
export async function findPlacedPicture(
  { caches, download }: PlacedPictureDeps,
  { sourceId, objectName, version }: PlaceFileJob,
  petId: string,
): Promise<Pick<FetchedFile, 'bytes' | 'contentType'> | null> {
  const kept = version === null ? null : await caches.version({ petId: sourceId, md5: version });
  if (kept !== null) return { bytes: kept.bytes, contentType: pictureType(objectName) };
  const isOther = sourceId !== petId;
  const cached = await caches.picture(sourceId);
  if (cached !== null && (cached.md5 === version || (version === null && isOther))) return cached;
  const found = objectName === null ? null : await download(objectName);
  // The folder of another pet holds that pet's last picture, whatever its document says.
  return found !== null && (isOther || found.md5 === version) ? found : null;
}
