import { writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { blackPng, greyJpeg, jpegFile, type MadeFile } from '../support/fixtures/made-pictures.ts';
import { answerFirst, holdFirst } from './first-request.ts';
import { expect, test, type Device } from './fixtures.ts';
import { limitRoom } from './full-device.ts';
import {
  addPet,
  discardAndSignOut,
  expectSynced,
  goOffline,
  newEmail,
  register,
  signIn,
  status,
  visit,
  waitForOfflineReady,
} from './owner.ts';

const uploads = '**/v0/b/*/o?name=*';

// The expected errors are files that the server refuses or lacks, blob URLs of images that Playwright's trace fetches,
// and a worker that finds no room on a full device.
test.use({
  expectedErrors:
    /status of (403|404) .*\/v0\/b\/|Connecting to 'blob:|Uncaught: QuotaExceededError/,
});

interface Owner {
  readonly email: string;
  readonly device: Device;
  readonly page: Page;
  readonly profile: string;
}

async function ownerWithDog(device: Device): Promise<Owner> {
  const email = newEmail();
  const page = await device.open('/auth/register');
  await register(page, email);
  await addPet(page, 'Bramble');
  await expectSynced(page);
  await waitForOfflineReady(page);
  return { email, device, page, profile: new URL(page.url()).pathname };
}

/** Returns a picture of one colour, as a camera's file. */
async function colouredJpeg(page: Page, colour: string, width = 400): Promise<MadeFile> {
  const base64 = await page.evaluate(
    async ([fill, edge]) => {
      const canvas = new OffscreenCanvas(edge, 300);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.fillStyle = fill;
      context.fillRect(0, 0, edge, 300);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
      return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
    },
    [colour, width] as const,
  );
  return jpegFile('IMG_0001.jpg', Buffer.from(base64, 'base64'));
}

async function openPicturePage(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('link', { name: 'Change Profile Picture' }).click();
  await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible();
}

/** @param file is a path for a file that is too large to send to the browser. */
async function choose(page: Page, file: MadeFile | string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^Choose a/ }).click();
  await (await chooser).setFiles(file);
}

async function savePicture(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save picture' }).click();
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toBeVisible();
}

async function setPicture(page: Page, colour: string): Promise<void> {
  await openPicturePage(page);
  await choose(page, await colouredJpeg(page, colour));
  await savePicture(page);
}

/** Chooses a picture on a phone in landscape, and expects the whole square, which takes every drag that begins on it. */
async function chooseOnLowScreen(page: Page, file: MadeFile | string): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 740, height: 360 });
  await choose(page, file);
  const square = page.getByRole('button', { name: 'Move the picture' });
  await expect(square).toBeInViewport({ ratio: 1 });
  const { y: topPx = 0 } = (await square.boundingBox()) ?? {};
  const { y: headerPx = 0, height = 0 } = (await page.locator('header').boundingBox()) ?? {};
  expect(topPx).toBeGreaterThanOrEqual(headerPx + height);
  if (size !== null) await page.setViewportSize(size);
}

function heading(page: Page): Locator {
  return page.getByRole('main').locator('h1').locator('xpath=../..').locator('img');
}

/** Expects the colour in the middle of the picture: red, green and blue in steps of 32. */
async function expectColour(picture: Locator, colour: readonly number[]): Promise<void> {
  await expect(async () => {
    const seen = await picture.evaluate((image: HTMLImageElement) => {
      const canvas = new OffscreenCanvas(1, 1);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0, 1, 1);
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
    });
    expect(seen.map((value) => Math.round(value / 32))).toEqual(
      colour.map((value) => Math.round(value / 32)),
    );
  }).toPass();
}

const red = [255, 0, 0];
const blue = [0, 0, 255];

async function expectOnSecondDevice(device: Device, email: string, colour: readonly number[]) {
  const page = await device.open('/auth/login');
  await signIn(page, email);
  await expectColour(page.getByRole('link', { name: /Bramble/ }).locator('img'), colour);
  await page.getByRole('link', { name: /Bramble/ }).click();
  await expectColour(heading(page), colour);
  return page;
}

/** Crashes the tab, as the browser does with one that takes too much memory. */
async function crash(device: Device, page: Page): Promise<void> {
  const session = await device.context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
}

test('a picture chosen offline is kept over a reload, and reaches the second device', async ({
  newDevice,
}) => {
  const { email, device, page } = await ownerWithDog(await newDevice());
  await goOffline(page);
  await setPicture(page, 'red');
  await expectColour(heading(page), red);
  await expect(status(page)).toHaveText('Offline, 1 waiting');

  await page.reload();
  await expectColour(heading(page), red);
  await expect(status(page)).toHaveText('Offline, 1 waiting');
  await openPicturePage(page);
  await expect(
    page.getByText('On this device. It is uploaded with the next connection.'),
  ).toBeVisible();

  await device.context.setOffline(false);
  await expectSynced(page);
  const other = await expectOnSecondDevice(await newDevice(), email, red);

  await page.goto('/pets');
  await page.getByRole('link', { name: /Bramble/ }).click();
  await setPicture(page, 'blue');
  await expectColour(heading(other), blue);
});

test.describe(() => {
  test.use({ isFirstVisit: true });

  test('a device that is full shows the dog without its picture, and has it once there is room', async ({
    backend,
    newDevice,
  }) => {
    test.slow();
    const { email, page } = await ownerWithDog(await newDevice());
    await setPicture(page, 'red');
    await expectSynced(page);
    const device = await newDevice();
    const room = await limitRoom(device.context, backend.url);
    const downloads = '**/v0/b/**alt=media*';
    await device.context.route(downloads, (route) => route.abort());
    const other = await device.open('/auth/login');
    await signIn(other, email);
    await expectSynced(other);
    await room.fill(other);
    await device.context.unroute(downloads);
    const downloaded = other.waitForResponse(downloads);
    await other.reload();
    expect((await downloaded).status()).toBe(200);
    const pet = other.getByRole('link', { name: /Bramble/ });
    await expect(pet).toBeVisible();
    await expect(pet.locator('img')).toHaveCount(0);

    await room.empty(other);
    await other.reload();
    await expectColour(pet.locator('img'), red);
    await goOffline(other);
    await other.reload();
    await expectColour(pet.locator('img'), red);
  });
});

for (const [when, isStored] of [
  ['before the server has it', false],
  ['after the server has it', true],
] as const) {
  test(`the tab dies in the middle of an upload, ${when}: the picture arrives, once`, async ({
    newDevice,
  }) => {
    const { email, device, page, profile } = await ownerWithDog(await newDevice());
    const names: string[] = [];
    device.context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/v0/b/'))
        names.push(request.url());
    });
    const begun = holdFirst(page, uploads);
    await setPicture(page, 'red');
    const route = await begun;
    if (isStored) expect((await route.fetch()).status()).toBe(200);
    await crash(device, page);

    const next = await device.open(profile);
    await expectColour(heading(next), red);
    await expectSynced(next);
    // A stored picture is not uploaded again.
    expect(names).toHaveLength(isStored ? 1 : 2);
    await expectOnSecondDevice(await newDevice(), email, red);
  });
}

test('unreadable and unsuitable pictures are refused with a sentence each', async ({
  newDevice,
}) => {
  test.slow();
  const { page } = await ownerWithDog(await newDevice());
  await setPicture(page, 'red');
  await expectSynced(page);
  await openPicturePage(page);
  const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1');
  const refused: [MadeFile, string][] = [
    [jpegFile('walk.jpg', Buffer.from('a note, and no picture')), 'This file is not a picture.'],
    [jpegFile('empty.jpg', Buffer.alloc(0)), 'This file is not a picture.'],
    [jpegFile('IMG_2.heic', heic), 'This browser cannot read HEIC photos.'],
    [jpegFile('dot.jpg', greyJpeg(1, 1)), 'This picture is too small.'],
    [
      { name: 'huge.png', mimeType: 'image/png', buffer: blackPng(12_000, 12_000) },
      'This picture has more pixels than this device can work with.',
    ],
  ];
  for (const [file, words] of refused) {
    await choose(page, file);
    await expect(page.getByRole('alert')).toContainText(`Upload failed. ${words}`);
  }
  // The former picture is still there.
  await expectColour(page.getByRole('main').locator('img').nth(1), red);
  await expect(page.getByRole('button', { name: /^Save/ })).toHaveCount(0);
});

test('a photo of 40 MB and one of 12,000 pixels become a small square', async ({
  newDevice,
}, testInfo) => {
  test.slow();
  const { email, page } = await ownerWithDog(await newDevice());
  const grey = [128, 128, 128];
  const large = testInfo.outputPath('40-mb.jpg');
  await writeFile(large, greyJpeg(4_000, 3_000, 40_000_000));
  for (const file of [jpegFile('12000.jpg', greyJpeg(12_000, 12_000)), large]) {
    await openPicturePage(page);
    await chooseOnLowScreen(page, file);
    await savePicture(page);
    await expectColour(heading(page), grey);
    const edges = await heading(page).evaluate(
      ({ naturalWidth, naturalHeight }: HTMLImageElement) => [naturalWidth, naturalHeight],
    );
    expect(edges).toEqual([1_024, 1_024]);
  }
  await expectSynced(page);
  await expectOnSecondDevice(await newDevice(), email, grey);
});

test('a picture that the server refuses is kept with its reason, and goes up on request', async ({
  newDevice,
}) => {
  const { email, page } = await ownerWithDog(await newDevice());
  const error = { error: { code: 403, message: 'Permission denied.' } };
  await answerFirst(page, uploads, (route) => route.fulfill({ status: 403, json: error }));
  await setPicture(page, 'red');
  await expect(status(page)).toHaveText('1 could not be sent');
  await expectColour(heading(page), red);

  await page.getByRole('button', { name: /Sync details/ }).click();
  const item = page.getByRole('dialog').getByRole('listitem');
  await expect(item).toContainText('A picture of Bramble');
  await expect(item).toContainText(
    'Upload failed. The server says that it is not yours to change.',
  );
  await item.getByRole('button', { name: 'Retry' }).click();
  await expectSynced(page);
  await expectOnSecondDevice(await newDevice(), email, red);
});

test('the picture of a dog that is deleted offline is later removed from the server, and no other', async ({
  newDevice,
}) => {
  const { email, device, page, profile } = await ownerWithDog(await newDevice());
  await setPicture(page, 'red');
  await addPet(page, 'Moss');
  await setPicture(page, 'blue');
  await expectSynced(page);
  await visit(page, profile);
  const removed: string[] = [];
  device.context.on('response', (response) => {
    if (response.request().method() !== 'DELETE') return;
    removed.push(`${decodeURIComponent(new URL(response.url()).pathname)} ${response.status()}`);
  });
  await goOffline(page);
  await page.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('link', { name: 'Delete Profile' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('with the picture');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  const pets = page.getByRole('main').getByRole('listitem');
  await expect(pets).toHaveText([/Moss/]);
  await page.reload();
  await expect(pets).toHaveText([/Moss/]);
  await device.context.setOffline(false);
  const pet = profile.split('/')[2] ?? '';
  const removal = expect.stringMatching(new RegExp(`pets/${pet}/images/profile\\.jpg 204$`));
  await expect.poll(() => removed).toEqual([removal]);
  await expectSynced(page);
  const other = await (await newDevice()).open('/auth/login');
  await signIn(other, email);
  await expectColour(other.getByRole('link', { name: /Moss/ }).locator('img'), blue);
  expect(removed).toEqual([removal]);
});

test('signing out asks before it discards an unsent picture, and leaves nothing of it', async ({
  newDevice,
}) => {
  const { page } = await ownerWithDog(await newDevice());
  await goOffline(page);
  await setPicture(page, 'red');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('1 picture');
  await discardAndSignOut(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const databases = await indexedDB.databases();
        return databases.flatMap(({ name = '' }) => (name.startsWith('pawpals') ? [name] : []));
      }),
    )
    .toEqual([]);
});
