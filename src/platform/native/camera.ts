import type { CameraPlugin } from '@capacitor/camera';
import { registerPlugin } from '@capacitor/core';
import { CameraError, type Camera } from '../camera.ts';

/** Registered by name: the plugin's own module would bring its camera for the web. */
const plugin = registerPlugin<CameraPlugin>('Camera');

/** The product's quality of photos. */
const quality = 90;

/** The plugin's code for an owner who closed the camera. */
const cancelled = 'OS-PLUG-CAMR-0006';

export const nativeCamera: Camera = {
  takePhoto: async () => {
    try {
      const { webPath = '' } = await plugin.takePhoto({ quality, correctOrientation: true });
      return await (await fetch(webPath)).blob();
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (code === cancelled) return null;
      throw new CameraError('The camera could not be used', { cause: error });
    }
  },
};
