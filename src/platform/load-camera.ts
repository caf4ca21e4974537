import type { Camera } from './camera.ts';
import { isNative } from './native-platform.ts';

/** Its code is loaded in the wrapper alone. @returns null in a browser, where a file input takes the photo. */
export async function loadCamera(): Promise<Camera | null> {
  return isNative() ? (await import('./native/camera.ts')).nativeCamera : null;
}
