import type { Files } from '../../../data/files/files.ts';
import { withoutFile } from '../../../data/shared-items.ts';

/** A photo that another app has shared, stored on this device. */
export interface SharedPhoto {
  readonly shareId: string;
  readonly fileId: string;
}

/** Reads a shared photo; null if it was used already, or is too old. */
export async function readSharedPhoto(
  { shared }: Files,
  { shareId, fileId }: SharedPhoto,
): Promise<Blob | null> {
  const item = await shared.read(shareId);
  const { bytes = null, contentType: type = '' } =
    item?.files.find(({ id }) => id === fileId) ?? {};
  return bytes === null ? null : new Blob([bytes], { type });
}

/** Removes a shared photo that has become a dog's picture. */
export async function removeSharedPhoto({ shared }: Files, photo: SharedPhoto): Promise<void> {
  await shared.keepRest(photo.shareId, withoutFile(photo.fileId));
}
