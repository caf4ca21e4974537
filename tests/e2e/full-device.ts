import type { CDPSession, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** The quota is that of the session that asked for it, and ends with it. */
const sessions = new WeakMap<Page, CDPSession>();

/** @param quotaSize bytes that the browser gives this origin; left out, as much as the disk has. */
export async function setQuota(page: Page, origin: string, quotaSize?: number): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const quota = quotaSize === undefined ? { origin } : { origin, quotaSize };
  await session.send('Storage.overrideQuotaForOrigin', quota);
}

/** Tries to store a megabyte. @returns the name of the browser's refusal, or null. */
function storeMegabyte(page: Page): Promise<string | null> {
  return page.evaluate(
    () =>
      new Promise<string | null>((resolve) => {
        const opening = indexedDB.open('scratch');
        opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('all'));
        opening.addEventListener('error', () => resolve(opening.error?.name ?? 'no error'));
        opening.addEventListener('success', () => {
          const database = opening.result;
          const writing = database.transaction('all', 'readwrite');
          writing.objectStore('all').put(new Uint8Array(1_000_000), 'megabyte');
          const end = (refusal: string | null): void => {
            database.close();
            resolve(refusal);
          };
          writing.addEventListener('complete', () => end(null));
          writing.addEventListener('abort', () => end(writing.error?.name ?? 'no error'));
        });
      }),
  );
}

/** The browser goes on for a while with what it knew of its space, and longer for what is small. */
export async function fillDevice(page: Page, origin: string): Promise<void> {
  await setQuota(page, origin, 1_000);
  await expect.poll(() => storeMegabyte(page), { timeout: 60_000 }).toBe('QuotaExceededError');
}

export async function emptyDevice(page: Page, origin: string): Promise<void> {
  await setQuota(page, origin);
  await expect.poll(() => storeMegabyte(page), { timeout: 60_000 }).toBeNull();
}
