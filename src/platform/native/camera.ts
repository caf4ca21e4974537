import { Camera as CameraPlugin, type MediaResult } from '@capacitor/camera';
import type { Camera } from '../media/camera.ts';

const quality = 90;

/** The codes of the plugin for a photo that was not taken, edited or chosen. */
const calledOff = new Set(['OS-PLUG-CAMR-0006', 'OS-PLUG-CAMR-0013', 'OS-PLUG-CAMR-0020']);

function isCalledOff(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && calledOff.has(code);
}

/** Reads a photo, which the wrapper serves under the page's own origin. */
async function read(photo: MediaResult | undefined): Promise<Blob | null> {
  if (photo?.webPath === undefined) return null;
  const response = await fetch(photo.webPath);
  return response.blob();
}

async function ask(request: () => Promise<MediaResult | undefined>): Promise<Blob | null> {
  try {
    return await read(await request());
  } catch (error) {
    if (isCalledOff(error)) return null;
    throw error;
  }
}

export const nativeCamera: Camera = {
  take: () => ask(() => CameraPlugin.takePhoto({ quality })),
  choose: () =>
    ask(async () => (await CameraPlugin.chooseFromGallery({ quality, limit: 1 })).results[0]),
};
