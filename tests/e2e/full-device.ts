import type { BrowserContext, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** Controls the space that the browser leaves to the app on a device. */
export interface Room {
  /** Fills the quota, so that nothing can be stored. */
  fill(page: Page): Promise<void>;
  /** Raises the quota, so that there is space again. */
  empty(page: Page): Promise<void>;
}

/** The browser's report of a worker that finds no room for the app: it reports the promise of `waitUntil` too. */
export const failedInstallation = /Uncaught: QuotaExceededError/;

/** The default quota, which is more than the app needs. */
const roomBytes = 40_000_000;

/** Chromium up to 150 stores a larger value in a separate file, and does not count its size against the quota. */
const valueBytes = 60_000;

/** Tries to store that many bytes at once. @returns the name of the browser's refusal, or null. */
function store(page: Page, bytes: number): Promise<string | null> {
  return page.evaluate(
    ([size, valueSize]) =>
      new Promise<string | null>((resolve) => {
        const opening = indexedDB.open('scratch');
        opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('all'));
        opening.addEventListener('error', () => resolve(opening.error?.name ?? 'no error'));
        opening.addEventListener('success', () => {
          const database = opening.result;
          const writing = database.transaction('all', 'readwrite');
          for (let left = size; left > 0; left -= valueSize) {
            writing.objectStore('all').put(new Uint8Array(Math.min(left, valueSize)), left);
          }
          const end = (refusal: string | null): void => {
            database.close();
            resolve(refusal);
          };
          writing.addEventListener('complete', () => end(null));
          writing.addEventListener('abort', () => end(writing.error?.name ?? 'no error'));
        });
      }),
    [bytes, valueBytes] as const,
  );
}

/**
 * Limits a device's space through the browser's real quota. Call it before the first page: the browser caches the free
 * space for half a minute, unless a write is larger than the cached value.
 */
export async function limitRoom(
  context: BrowserContext,
  origin: string,
  quotaSize = roomBytes,
): Promise<Room> {
  // The override ends with its session, and the session ends with its page.
  const session = await context.newCDPSession(await context.newPage());
  const limit = (bytes: number) =>
    session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: bytes });
  await limit(quotaSize);
  return {
    fill: async (page) => {
      await limit(1_000);
      expect(await store(page, roomBytes + 1)).toBe('QuotaExceededError');
    },
    empty: async (page) => {
      await limit(10 * roomBytes);
      expect(await store(page, 1)).toBeNull();
    },
  };
}
