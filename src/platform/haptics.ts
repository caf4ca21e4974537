import { atom } from 'jotai';

export type HapticKind = 'success' | 'warning' | 'error';

/** Haptic feedback. A failure is ignored. */
export interface Haptics {
  notify(kind: HapticKind): void;
}

/** Milliseconds of vibration, pause and vibration. */
const patterns: Readonly<Record<HapticKind, number[]>> = {
  success: [20],
  warning: [30, 60, 30],
  error: [40, 50, 40, 50, 40],
};

/** The browser's vibration, if it has one. Chromium logs an error unless the owner has touched the page before. */
const webHaptics: Haptics = {
  notify: (kind) => {
    const { userActivation } = navigator;
    if (!('vibrate' in navigator) || !userActivation?.hasBeenActive) return;
    try {
      navigator.vibrate(patterns[kind]);
    } catch {
      // A failure to vibrate needs no message.
    }
  },
};

/** The device's haptics. In the native wrapper, src/app sets the wrapper's own. */
export const hapticsAtom = atom<Haptics>(webHaptics);
