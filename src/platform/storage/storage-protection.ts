import { isWebKitAgent } from '../../lib/media/recording-type.ts';
import { isInstalled } from '../install/installed.ts';

/** The browser's report about the storage of this app. */
export interface StorageReport {
  /** Whether the browser never clears the storage by itself; null if it does not tell. */
  readonly isProtected: boolean | null;
  /** The used and the available bytes; null if the browser does not tell. */
  readonly used: { readonly bytes: number; readonly ofBytes: number } | null;
}

/**
 * Asks the browser. `navigator.storage` is missing over plain http and in WebKitGTK, its `estimate` in Safari 16.
 * @returns null if the browser cannot answer.
 */
async function orNull<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}

export async function readStorage(): Promise<StorageReport> {
  const [isProtected, estimate] = await Promise.all([
    orNull(() => navigator.storage.persisted()),
    orNull(() => navigator.storage.estimate()),
  ]);
  const { usage, quota } = estimate ?? {};
  const isTold = usage !== undefined && quota !== undefined;
  return { isProtected, used: isTold ? { bytes: usage, ofBytes: quota } : null };
}

/**
 * Whether the browser clears the storage of a site without a visit for seven days of use, as Safari and all browsers on
 * iOS do.
 */
export function clearsUnvisited(): boolean {
  return isWebKitAgent(navigator.userAgent) && !isInstalled();
}

/**
 * Requests persistent storage. Firefox asks the owner; other browsers decide by themselves.
 * @returns whether the storage is protected now.
 */
export async function protectStorage(): Promise<boolean> {
  return (await orNull(() => navigator.storage.persist())) ?? false;
}

const askedKey = 'pawpals.protection-asked';

/**
 * Requests persistent storage once, and once more after the app was installed, which makes browsers agree. Callers wait
 * until there is data to protect, because an owner who is asked earlier says no.
 */
export async function protectStorageOnce(): Promise<void> {
  const asked = isInstalled() ? 'installed' : 'tab';
  try {
    if (localStorage.getItem(askedKey) === asked) return;
    localStorage.setItem(askedKey, asked);
  } catch {
    // A browser that forbids this storage keeps no data anyway.
    return;
  }
  await protectStorage();
}
