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
