import type { Files } from '../../../data/files/files.ts';

/** A photo that another app has shared, and that waits on this device. */
export interface SharedPhoto {
  readonly shareId: string;
  readonly fileId: string;
}

/** null: it was used already, or is too old. */
export async function readSharedPhoto(
  { shared }: Files,
  { shareId, fileId }: SharedPhoto,
): Promise<Blob | null> {
  const item = await shared.read(shareId);
  const { bytes = null, contentType: type = '' } =
    item?.files.find(({ id }) => id === fileId) ?? {};
  return bytes === null ? null : new Blob([bytes], { type });
}

/** It is a dog's picture now. */
export async function removeSharedPhoto({ shared }: Files, photo: SharedPhoto): Promise<void> {
  const item = await shared.read(photo.shareId);
  if (item === null) return;
  await shared.keepRest({ ...item, files: item.files.filter(({ id }) => id !== photo.fileId) });
}
