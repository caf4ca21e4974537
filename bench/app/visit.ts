import type { Page } from 'playwright';
import { openProfile } from '../run/browser.ts';
import type { AppOnDevice } from './filled-app.ts';

export const fullSpeed = 1;
/** As slow as the phones that owners have, beside a machine that developers have. */
export const slowedDown = 4;

export interface VisitOptions {
  readonly isOffline: boolean;
  /** How many times slower than this machine the page runs; the worker cannot be slowed down. */
  readonly slowdown: number;
}

const phone = { width: 390, height: 844 };

/** A page with a recorder in a browser that has just started, before the app is in it. */
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
