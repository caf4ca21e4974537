import { atom } from 'jotai';

/** Photos of the device's own camera and gallery, of at most quality 90. */
export interface Camera {
  /** @returns null when the owner has changed their mind. */
  take(): Promise<Blob | null>;
  /** @returns null when the owner has changed their mind. */
  choose(): Promise<Blob | null>;
}

/** The wrapper's; null in a browser, whose file chooser does both. src/app sets it. */
export const cameraAtom = atom<Camera | null>(null);
