import type { BrowserContext } from 'playwright/test';
import { backgroundSyncTag } from '../../schemas/local/relay-message.ts';

/** As an owner who puts the phone away: no page is left. */
export async function closeAll(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.close();
}

/**
 * The browser's own wake-up, once more: it may have tried while the device was just going offline, and then waits for
 * minutes. The page it takes to ask for it is an empty one.
 */
export async function wakeWorker(context: BrowserContext, origin: string): Promise<void> {
  const blank = await context.newPage();
  const devTools = await context.newCDPSession(blank);
  const found = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await devTools.send('ServiceWorker.enable');
  const registrationId = await found;
  const event = { origin, registrationId, tag: backgroundSyncTag, lastChance: false };
  await devTools.send('ServiceWorker.dispatchSyncEvent', event);
  await blank.close();
}
