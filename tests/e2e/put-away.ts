import type { BrowserContext } from 'playwright/test';
import { backgroundSyncTag } from '../../schemas/local/relay-message.ts';

/** Closes all pages, as if the owner put the phone away. */
export async function closeAll(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.close();
}

/**
 * Dispatches the browser's sync event to the worker. The browser may have dispatched its own while the device was going
 * offline, and retries only after minutes. The command is sent from an empty page.
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
