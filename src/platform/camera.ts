import { isNative } from './native-platform.ts';

/** The camera could not be used: no permission, or none there. */
export class CameraError extends Error {
  override readonly name = 'CameraError';
}

/** Takes a photo with the system's camera. */
export interface Camera {
  /**
   * @returns null if the owner thought better of it.
   * @throws {CameraError}
   */
  takePhoto(): Promise<Blob | null>;
}

/** Its code is loaded in the wrapper alone. @returns null in a browser, where a file input takes the photo. */
export async function loadCamera(): Promise<Camera | null> {
  return isNative() ? (await import('./native/camera.ts')).nativeCamera : null;
}
