import { isInstalled } from './installed.ts';

/** What the browser says of the storage of this app. */
export interface StorageReport {
  /** The browser does not clear it by itself. null: it does not tell. */
  readonly isProtected: boolean | null;
  /** null: it does not tell. */
  readonly used: { readonly bytes: number; readonly ofBytes: number } | null;
}

/** `navigator.storage` is not there over plain http, nor in old browsers. */
function storageManager(): StorageManager | null {
  return 'storage' in navigator ? navigator.storage : null;
}

export async function readStorage(): Promise<StorageReport> {
  const storage = storageManager();
  if (storage === null) return { isProtected: null, used: null };
  const [isProtected, { usage, quota }] = await Promise.all([
    storage.persisted().catch(() => null),
    storage.estimate().catch((): StorageEstimate => ({})),
  ]);
  const isTold = usage !== undefined && quota !== undefined;
  return { isProtected, used: isTold ? { bytes: usage, ofBytes: quota } : null };
}

/** Firefox asks the owner; the others decide by themselves. @returns whether it is protected now. */
export async function protectStorage(): Promise<boolean> {
  try {
    return (await storageManager()?.persist()) ?? false;
  } catch {
    return false;
  }
}

const askedKey = 'pawpals.protection-asked';

/**
 * Asks by itself once, and once more after the app was installed, which makes browsers agree. To be called when there is
 * something to protect: who is asked before that says no.
 */
export async function protectStorageOnce(): Promise<void> {
  const asked = isInstalled() ? 'installed' : 'tab';
  try {
    if (localStorage.getItem(askedKey) === asked) return;
    localStorage.setItem(askedKey, asked);
  } catch {
    // A browser that forbids this storage keeps nothing anyway.
    return;
  }
  await protectStorage();
}
