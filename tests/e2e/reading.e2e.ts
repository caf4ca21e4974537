import type { Locator, Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { importNotes } from './imported-journal.ts';
import {
  addPet,
  composer,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  news,
  openPet,
  openWithPet,
  register,
  scrollTo,
  writeNote,
  openNote,
} from './owner.ts';
import { sidewaysOverflow } from './sideways.ts';

function deleteButton(page: Page) {
  return page.getByRole('button', { name: 'Delete' });
}

async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? Number.NaN;
}

test('a step back from a note restores the scroll position, also far up', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/register');
  await page.setViewportSize({ width: 390, height: 844 });
  await register(page, newEmail());
  const startMs = Date.now() - 3_600_000;
  const walks = Array.from({ length: 70 }, (_, index) => ({
    id: `walk-${index}`,
    createdMs: startMs + index,
    text: `walk ${index + 1}\n\n\nhome`,
  }));
  await importNotes(page, walks);
  await page.goto('/pets');
  await openPet(page, 'Bramble');

  const early = journal(page).getByRole('link', { name: /^walk 7\s/ });
  await journal(page).hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -2_000);
      return early.count();
    })
    .toBe(1);
  await scrollTo(early);
  await expect(early).toBeInViewport({ ratio: 1 });
  // The scrolling goes on for a moment after the wheel event, and the heading folds meanwhile.
  let before = await topOf(early);
  await expect
    .poll(async () => {
      const last = before;
      before = await topOf(early);
      return before === last;
    })
    .toBe(true);
  await early.click();
  await expect(deleteButton(page)).toBeVisible();
  await page.goBack();
  await expect(early).toBeInViewport({ ratio: 1 });
  const drift = async (): Promise<number> => Math.abs((await topOf(early)) - before);
  await expect.poll(drift).toBeLessThan(4);

  await page.goto('/pets');
  await page.getByRole('link', { name: /Bramble/ }).click();
  await expect(journal(page).getByRole('link', { name: /^walk 70\s/ })).toBeInViewport();
});

test('on a phone held sideways the box stays above the on-screen keyboard', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  await writeNote(page, 'hello');
  await composer(page).focus();
  for (const height of [240, 190, 130]) {
    await page.setViewportSize({ width: 844, height });
    await composer(page).fill('a line\n'.repeat(10));
    await expect(composer(page)).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 });
  }
  await composer(page).fill('');
  await composer(page).blur();
  await expect(page.getByRole('heading', { level: 1, name: 'Bramble' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back' })).toBeVisible();

  // Without a keyboard, the heading is small.
  await page.setViewportSize({ width: 640, height: 300 });
  await expect(composer(page)).toBeInViewport({ ratio: 1 });
  await expect(journal(page).getByText('hello')).toBeInViewport({ ratio: 1 });
});

test('a link in a note opens in its own tab, and a click beside it opens the note', async ({
  newDevice,
  backend,
}) => {
  const device = await newDevice();
  const page = await openWithPet(device);
  await composer(page).fill(`see ${backend.url}/privacy, it is long`);
  await composer(page).press('Enter');
  const link = journal(page).getByRole('link', { name: `${backend.url}/privacy`, exact: true });
  const opened = device.context.waitForEvent('page');
  await link.click();
  await expect((await opened).getByRole('heading', { name: 'Privacy policy' })).toBeVisible();
  expect(new URL(page.url()).pathname).toMatch(/\/profile$/);

  // A click elsewhere in the bubble opens the note.
  const bubble = await journal(page).getByText('it is long').boundingBox();
  await page.mouse.click((bubble?.x ?? 0) + 8, (bubble?.y ?? 0) + 8);
  await expect(deleteButton(page)).toBeVisible();
});

test('two tabs show one draft, and send it once', async ({ newDevice }) => {
  const device = await newDevice();
  const first = await openWithPet(device);
  await composer(first).fill('half a');
  const second = await device.open(new URL(first.url()).pathname);
  await expect(composer(second)).toHaveValue('half a');
  await composer(second).press('End');
  await composer(second).pressSequentially(' thought');
  await expect(composer(first)).toHaveValue('half a thought');
  await composer(second).press('Enter');
  await expect(composer(first)).toHaveValue('');
  await expect(journal(first).getByText('half a thought')).toHaveCount(1);
});

test('a note written and deleted offline leaves nothing pending; "Sync now" reports its result', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openWithPet(device);
  await expectSynced(page);
  await goOffline(page);
  await writeNote(page, 'a thought');
  await expect(page.getByRole('status', { name: 'Sync status' })).toHaveText('Offline, 1 waiting');
  await journal(page).getByRole('link', { name: 'a thought' }).click();
  await deleteButton(page).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('status', { name: 'Sync status' })).toHaveText('Offline');
  // The toast with Undo would be a list item of the sheet, for as long as it stays.
  await page.getByRole('button', { name: 'Dismiss notification' }).click();
  await page.getByRole('button', { name: /Sync details/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Sync' });
  await sheet.getByRole('button', { name: 'Sync now' }).click();
  await expect(sheet.getByText(/There is no connection/)).toBeVisible();
  await expect(sheet.getByRole('listitem')).toHaveCount(0);
});

test('with the text twice as large neither a note nor the Sync sheet is wider than the page', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openWithPet(device, 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternware');
  await expectSynced(page);
  await goOffline(page);
  const address = `https://a.example/${'x'.repeat(120)}`;
  await composer(page).fill(`${address}\n${'long '.repeat(300)}`);
  await composer(page).press('Enter');
  await expect(journal(page).getByRole('link', { name: 'Show all' })).toBeVisible();
  const expectNarrow = async (): Promise<void> => {
    for (const [width, px] of [
      [320, 16],
      [390, 32],
      [640, 32],
    ] as const) {
      await page.setViewportSize({ width, height: 640 });
      await page.evaluate((fontPx) => {
        document.documentElement.style.fontSize = `${fontPx}px`;
      }, px);
      await expect.poll(() => sidewaysOverflow(page), `at ${width} px, ${px} px text`).toEqual([]);
    }
  };
  await expectNarrow();
  await page.getByRole('button', { name: /Sync details/ }).click();
  await expect(page.getByRole('dialog', { name: 'Sync' }).getByRole('listitem')).toHaveCount(1);
  await expectNarrow();
  await page.keyboard.press('Escape');
  await journal(page).getByRole('link', { name: 'Show all' }).click();
  await expect(page.getByRole('article').getByRole('link', { name: address })).toBeVisible();
  await expectNarrow();
});

test('a toast does not cover the header', async ({ newDevice }) => {
  const page = await openWithPet(await newDevice());
  await page.setViewportSize({ width: 360, height: 640 });
  await writeNote(page, 'gone in a moment');
  await openNote(page, 'gone in a moment');
  await deleteButton(page).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  const edges = async () => {
    const header = await page.getByRole('banner').boundingBox();
    const toast = await news(page).boundingBox();
    return [(header?.y ?? 0) + (header?.height ?? 0), toast?.y ?? 0] as const;
  };
  await expect(news(page)).toContainText('Entry deleted');
  await expect
    .poll(async () => {
      const [headerEnd, toastStart] = await edges();
      return toastStart - headerEnd;
    })
    .toBeGreaterThanOrEqual(15);
});
