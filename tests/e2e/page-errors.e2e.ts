import { expect, test } from './fixtures.ts';
import { newEmail, register } from './owner.ts';

// React and the browser tell of what the page has caught.
test.use({ expectedErrors: /help-|dynamically imported module|fetching the script/ });

test('a page whose code does not come says so in its place, and comes with the next attempt', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  // Without the worker, which has everything.
  await page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    for (const registration of registrations) await registration.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  });
  await device.context.route('**/static/js/help-*.js', (route) => route.abort());
  await device.context.route('**/sw.js', (route) => route.abort());
  await page.goto('/help');
  await expect(page.getByRole('heading', { name: 'This page could not be loaded.' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
  await expect(page.getByText('Something went wrong.')).toHaveCount(0);

  await device.context.unroute('**/static/js/help-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Customer Support' })).toBeVisible();
});
