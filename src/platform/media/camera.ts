import { atom } from 'jotai';

/** Takes photos with the device's camera, or chooses them from its gallery, with a quality of at most 90. */
export interface Camera {
  /** Takes a photo. @returns null if the owner cancels. */
  take(): Promise<Blob | null>;
  /** Lets the owner choose a photo. @returns null if the owner cancels. */
  choose(): Promise<Blob | null>;
}

/** The wrapper's camera, which src/app sets; null in a browser, whose file chooser offers both. */
export const cameraAtom = atom<Camera | null>(null);
