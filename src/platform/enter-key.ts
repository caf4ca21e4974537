/**
 * Whether Enter starts a new line in the composer, as most on-screen keyboards have no Shift+Enter. It describes the keyboard
 * of this device and not its owner, so it survives a sign-out.
 */
const storageKey = 'pawpals.enter';
const newLine = 'new-line';

export function doesEnterStartLine(): boolean {
  try {
    return localStorage.getItem(storageKey) === newLine;
  } catch {
    return false;
  }
}

export function keepEnterStartsLine(startsLine: boolean): void {
  try {
    if (startsLine) localStorage.setItem(storageKey, newLine);
    else localStorage.removeItem(storageKey);
  } catch {
    // A browser that forbids this storage keeps to the default.
  }
}
