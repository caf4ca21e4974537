import type { Page } from 'playwright';
import { openProfile } from '../run/browser.ts';
import type { AppOnDevice } from './filled-app.ts';

export const fullSpeed = 1;
/** The factor makes a developer's machine about as slow as an owner's phone. */
export const slowedDown = 4;

export interface VisitOptions {
  readonly isOffline: boolean;
  /** The factor by which the page is slowed down; the worker cannot be. */
  readonly slowdown: number;
}

const phone = { width: 390, height: 844 };

/** Runs work on a page with a recorder in a new browser, before the app is loaded. */
export async function visit<Result>(
  { profile, url, recorder }: AppOnDevice,
  { isOffline, slowdown }: VisitOptions,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await openProfile(profile, { baseURL: url, hasWorker: true });
  try {
    const page = await context.newPage();
    await page.setViewportSize(phone);
    await page.addInitScript({ path: recorder });
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await context.setOffline(isOffline);
    return await work(page);
  } finally {
    await context.close();
  }
}
