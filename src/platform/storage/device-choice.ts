/** A setting other than the default. It belongs to this device and not to its owner, so it survives a sign-out. */
export interface DeviceChoice {
  readonly isMade: () => boolean;
  readonly make: (isMade: boolean) => void;
}

const made = 'yes';

function deviceChoice(storageKey: string): DeviceChoice {
  return {
    isMade: () => {
      try {
        return localStorage.getItem(storageKey) === made;
      } catch {
        return false;
      }
    },
    make: (isMade) => {
      try {
        if (isMade) localStorage.setItem(storageKey, made);
        else localStorage.removeItem(storageKey);
      } catch {
        // A browser that forbids this storage keeps the default.
      }
    },
  };
}

/** Whether Enter starts a new line in the composer, because most on-screen keyboards have no Shift+Enter. */
export const enterStartsLine = deviceChoice('pawpals.enter');

/** Whether single-key shortcuts are off. */
export const shortcutsAreOff = deviceChoice('pawpals.shortcuts');
