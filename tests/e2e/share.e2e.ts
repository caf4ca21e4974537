import type { Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { goOffline, newEmail, openPet, openSyncedPet, signIn } from './owner.ts';

async function openShare(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('link', { name: 'Share with Trainer' }).click();
  await expect(page.getByRole('heading', { name: 'Share with Trainer' })).toBeVisible();
}

async function leaveShare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
}

test('without a connection Share says so, and shows the list by itself once there is one', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openSyncedPet(device);
  const share = page.url().replace('/profile', '/actions/share');
  await goOffline(page);
  await page.goto(share);
  await expect(page.getByText('Something went wrong.')).toBeVisible();
  await expect(page.getByText('The list of organizations needs a connection.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The list of organizations needs a connection.')).toBeVisible();

  await device.context.setOffline(false);
  await expect(page.getByText('No organizations have joined yet.')).toBeVisible();
});

test('the list is requested once for several visits, and again after a sign-out', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const page = await openSyncedPet(device, email);
  let requests = 0;
  page.on('request', (request) => {
    if (request.postData()?.includes('"organizations"') === true) requests += 1;
  });
  await openShare(page);
  await expect(page.getByText('No organizations have joined yet.')).toBeVisible();
  await leaveShare(page);
  await device.context.setOffline(true);
  await openShare(page);
  await expect(page.getByText('No organizations have joined yet.')).toBeVisible();
  await device.context.setOffline(false);
  expect(requests).toBe(1);

  await leaveShare(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
  // The sign-in happens in the same page, whose memory would still hold a cached list.
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await signIn(page, email);
  await openPet(page, 'Bramble');
  await openShare(page);
  await expect(page.getByText('No organizations have joined yet.')).toBeVisible();
  expect(requests).toBe(2);
});
