import { atom } from 'jotai';

export type HapticKind = 'success' | 'warning' | 'error';

/** Lets the device be felt. A failure is nobody's business. */
export interface Haptics {
  notify(kind: HapticKind): void;
}

/** Milliseconds on, off, on. */
const patterns: Readonly<Record<HapticKind, number[]>> = {
  success: [20],
  warning: [30, 60, 30],
  error: [40, 50, 40, 50, 40],
};

/** The browser's vibration, where there is one. Chromium complains in the console unless the page was touched before. */
const webHaptics: Haptics = {
  notify: (kind) => {
    const { userActivation } = navigator;
    if (!('vibrate' in navigator) || !userActivation?.hasBeenActive) return;
    try {
      navigator.vibrate(patterns[kind]);
    } catch {
      // Not worth a word.
    }
  },
};

/** Those of the device: src/app sets the wrapper's own. */
export const hapticsAtom = atom<Haptics>(webHaptics);
