import type { BrowserContext, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** What the browser leaves the app on a device. */
export interface Room {
  /** From now on nothing can be stored. */
  fill(page: Page): Promise<void>;
  /** There is room again. */
  empty(page: Page): Promise<void>;
}

/** More than the app takes. */
const roomBytes = 40_000_000;

/** Chromium up to 150 keeps a larger value in a file of its own, and does not hold its size against the quota. */
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
 * Gives a device room of its own, by the browser's real quota. Before its first page: the browser goes by what it knew of
 * its room for half a minute, unless a write is larger than that was.
 */
export async function limitRoom(
  context: BrowserContext,
  origin: string,
  quotaSize = roomBytes,
): Promise<Room> {
  // The quota ends with the session that asked for it, and the session with its page.
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
