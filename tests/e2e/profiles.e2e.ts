import { expect, test } from './fixtures.ts';
import { newEmail, openSyncedPet, signIn } from './owner.ts';
import { createProfiles } from './profiles.ts';
import { storedOnDevice } from './stored-on-device.ts';

test('a profile that was given back has the worker and nothing else, and one with a script is closed', async ({
  browser,
  backend,
}) => {
  const profiles = createProfiles(browser, backend.url, { serviceWorkers: 'allow' });
  const context = await profiles.take();
  const open = async (path: string) => {
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
  const email = newEmail();
  const page = await openSyncedPet({ context, open }, email);
  await page.evaluate(() => sessionStorage.setItem('draft', 'half a note'));
  await page.route('**/*', (route) => route.abort());
  await context.setOffline(true);
  expect(await storedOnDevice(page)).toContain(email);

  await profiles.giveBack(context);
  expect(await profiles.take()).toBe(context);
  const next = await open('/icon.svg');
  expect(context.pages()).toEqual([next]);
  expect(await next.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  const stored = await storedOnDevice(next);
  expect(stored).not.toContain(email);
  expect(stored).not.toContain('half a note');
  // The empty page and this one.
  expect(await next.evaluate(() => history.length)).toBe(2);
  await signIn(next, email);
  await expect(next.getByRole('link', { name: /Bramble/ })).toBeVisible();

  await next.addInitScript(() => undefined);
  await profiles.giveBack(context);
  const fresh = await profiles.take();
  expect(fresh).not.toBe(context);
  expect(context.pages()).toEqual([]);
  await fresh.close();
  await profiles.dispose();
});
