import { isWebKitAgent } from '../../lib/media/recording-type.ts';
import { isInstalled } from '../install/installed.ts';

/** What the browser says of the storage of this app. */
export interface StorageReport {
  /** The browser does not clear it by itself. null: it does not tell. */
  readonly isProtected: boolean | null;
  /** null: it does not tell. */
  readonly used: { readonly bytes: number; readonly ofBytes: number } | null;
}

/**
 * `navigator.storage` is missing over plain http and in WebKitGTK, its `estimate` in Safari 16.
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

/** Safari, and everything on iOS, clears what a site has stored after seven days of use without a visit to it. */
export function clearsUnvisited(): boolean {
  return isWebKitAgent(navigator.userAgent) && !isInstalled();
}

/** Firefox asks the owner; the others decide by themselves. @returns whether it is protected now. */
export async function protectStorage(): Promise<boolean> {
  return (await orNull(() => navigator.storage.persist())) ?? false;
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
