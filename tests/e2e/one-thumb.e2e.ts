import type { CDPSession, Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import {
  composer,
  journal,
  news,
  openNote,
  openWithPet,
  waitForOfflineReady,
  writeNote,
} from './owner.ts';

const phone = { width: 360, height: 640 };
/** The window size that the on-screen keyboard leaves. */
const withKeyboard = { width: 360, height: 320 };

async function touchScreen(page: Page): Promise<CDPSession> {
  await page.setViewportSize(phone);
  const touch = await page.context().newCDPSession(page);
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  return touch;
}

interface Stroke {
  readonly from: readonly [number, number];
  readonly byPx: number;
}

async function swipe(touch: CDPSession, { from: [x, y], byPx }: Stroke): Promise<void> {
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const touchPoints = [{ x: x + byPx * part, y }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

function larger(page: Page) {
  return page.getByRole('dialog', { name: 'Write a note' });
}

test('on a touch screen Enter starts a new line once its owner wants that, also after a reload', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  const profile = page.url();
  await touchScreen(page);
  await writeNote(page, 'sent by Enter');
  await page.goto('/settings');
  await page.getByRole('checkbox', { name: 'Enter starts a new line' }).check();
  await page.goto(profile);
  await expect(composer(page)).toHaveAttribute('enterkeyhint', 'enter');
  await composer(page).pressSequentially('one');
  await composer(page).press('Enter');
  await composer(page).pressSequentially('two');
  await expect(composer(page)).toHaveValue('one\ntwo');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(journal(page).getByText('one two')).toBeVisible();
  await expect(journal(page).getByRole('listitem')).toHaveCount(2);
});

test('the box opens over the whole screen, keeps what is written, and sends it once', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  const profile = page.url();
  await page.setViewportSize(phone);
  await composer(page).fill('one');
  const open = page.getByRole('button', { name: 'Write larger' });
  const box = larger(page).getByRole('textbox', { name: 'Note' });

  // A key can come as soon as the box has the focus.
  await page.evaluate(() => {
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof HTMLTextAreaElement) || target.closest('dialog') === null) return;
      queueMicrotask(() => target.setAttribute('data-caret', String(target.selectionStart)));
    });
  });
  await open.click();
  await expect(box).toBeFocused();
  await expect(box).toHaveAttribute('data-caret', '3');
  await page.keyboard.type('\ntwo');
  await page.keyboard.press('Escape');
  await expect(larger(page)).toHaveCount(0);
  await expect(composer(page)).toHaveValue('one\ntwo');
  await expect(composer(page)).toBeFocused();

  await open.click();
  await expect(box).toBeFocused();
  await page.goBack();
  await expect(larger(page)).toHaveCount(0);
  await expect(page).toHaveURL(profile);
  await expect(composer(page)).toHaveValue('one\ntwo');

  await open.click();
  await expect(box).toBeFocused();
  await page.setViewportSize(withKeyboard);
  await box.fill('a line\n'.repeat(60));
  const send = larger(page).getByRole('button', { name: 'Send' });
  await expect(send).toBeInViewport({ ratio: 1 });
  await expect(box).toBeInViewport({ ratio: 0.9 });
  await box.fill('one\ntwo\nthree');
  await send.click();
  await expect(larger(page)).toHaveCount(0);
  await expect(journal(page).getByText('one two three')).toBeVisible();
  await expect(journal(page).getByRole('listitem')).toHaveCount(1);
  await expect(composer(page)).toHaveValue('');
  // The box leaves no history step behind, so Back leads to the list.
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
});

test('the profile of a new dog offers its missing fields, and is shown again after each', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await page.setViewportSize(phone);
  const profile = page.url();
  const missing = page.getByRole('list', { name: 'Not set yet' });
  await expect(missing.getByRole('listitem')).toHaveText(['Picture', 'Breed', 'Birthday']);
  await missing.getByRole('link', { name: 'Add Breed' }).click();
  await page.getByRole('radio', { name: 'Vizsla', exact: true }).check();
  await page.getByRole('button', { name: 'Save breed' }).click();
  await expect(missing.getByRole('listitem')).toHaveText(['Picture', 'Birthday']);
  await expect(page).toHaveURL(profile);
  await missing.getByRole('link', { name: 'Add Birthday' }).click();
  await page.getByRole('button', { name: 'Save date of birth' }).click();
  await expect(missing.getByRole('listitem')).toHaveText(['Picture']);
  await expect(page).toHaveURL(profile);

  await page.getByRole('button', { name: 'Hide these' }).click();
  await expect(missing).toHaveCount(0);
  await page.reload();
  await expect(composer(page)).toBeVisible();
  await expect(missing).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
});

test('above the on-screen keyboard, half of the remaining height shows the journal', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  for (const text of ['one', 'two', 'three', 'four']) await writeNote(page, text);
  await page.setViewportSize(withKeyboard);
  await composer(page).focus();
  const list = journal(page).locator('xpath=../..');
  await expect
    .poll(async () => (await list.boundingBox())?.height)
    .toBeGreaterThan(withKeyboard.height / 2);
  await expect(page.getByRole('heading', { name: 'Bramble' })).toBeVisible();
  await composer(page).blur();
  await expect(page.getByRole('link', { name: 'Actions' })).toBeVisible();
});

test('a finger pushes a toast away, and Undo can still be pressed', async ({ newDevice }) => {
  const page = await openWithPet(await newDevice());
  const touch = await touchScreen(page);
  const deleteNote = async (text: string): Promise<void> => {
    await writeNote(page, text);
    await openNote(page, text);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(news(page)).toBeVisible();
  };
  const middle = async (): Promise<[number, number]> => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await news(page).boundingBox()) ?? {};
    return [x + width / 2, y + height / 2];
  };
  await deleteNote('gone for good');
  await swipe(touch, { from: await middle(), byPx: 30 });
  await expect(news(page)).toBeVisible();
  await swipe(touch, { from: await middle(), byPx: 150 });
  await expect(news(page)).toHaveCount(0);
  await expect(journal(page).getByText('gone for good')).toHaveCount(0);

  await deleteNote('comes back');
  await news(page).getByRole('button', { name: 'Undo' }).click();
  await expect(journal(page).getByText('comes back')).toBeVisible();
  await expect(journal(page).getByRole('listitem')).toHaveCount(1);
});

test('while a low screen is laid out for writing, one tap opens the calendar at its date, and the layout stays until then', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await writeNote(page, 'a note');
  await page.setViewportSize({ width: 740, height: 360 });
  await composer(page).click();
  const calendar = page.getByRole('button', { name: 'Go to a date', exact: true });
  await calendar.hover();
  await page.mouse.down();
  await expect(composer(page)).toBeFocused();
  await page.mouse.up();
  await expect(page.getByRole('dialog', { name: 'Go to a date' })).toBeVisible();
  const today = page.locator('[aria-current=date]');
  await expect(today).toBeFocused();
  await expect(today).toBeInViewport({ ratio: 1 });
  const sheet = page.getByRole('dialog');
  for (const above of [
    sheet.getByRole('heading'),
    sheet.getByRole('combobox', { name: 'Month' }),
  ]) {
    await expect(above).toBeInViewport({ ratio: 1 });
  }
});

test('a step back closes a menu of actions, and the page behind it stays', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  // A wide window has the menu beside the journal. It leads forward, so that a step back stays within the app.
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'My Pets' }).click();
  const actions = page.getByRole('button', { name: 'Actions for Bramble' });
  await actions.click();
  await expect(page.getByRole('menu')).toBeVisible();
  const dogs = page.url();
  await page.goBack();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(actions).toBeFocused();
  await expect(page).toHaveURL(dogs);
  await page.goBack();
  await expect(page).not.toHaveURL(dogs);
});

test('a step back closes the topmost dialog alone', async ({ newDevice }) => {
  const device = await newDevice();
  const page = await openWithPet(device);
  await waitForOfflineReady(page);
  await device.context.setOffline(true);
  await writeNote(page, 'not sent yet');
  const profile = page.url();
  // A wide window has the menu beside the journal.
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'PawPals' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(profile);
  await page.goBack();
  await expect(page).not.toHaveURL(profile);
});

test('on a low screen a long sheet and a question open at their titles, and a menu scrolls', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openWithPet(device);
  await waitForOfflineReady(page);
  await device.context.setOffline(true);
  for (const text of ['one', 'two', 'three']) await writeNote(page, text);
  await page.setViewportSize({ width: 640, height: 300 });
  await page.getByRole('button', { name: /Sync details/ }).click();
  const title = page.getByRole('heading', { name: 'Sync' });
  await expect(title).toBeFocused();
  await expect(title).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Close' }).click();

  await page.goto('/pets');
  await page.getByRole('button', { name: 'Actions for Bramble' }).click();
  const last = page.getByRole('menuitem', { name: 'Delete Profile' });
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 320, height: 256 });
  await last.click();
  const question = page.getByRole('heading', { name: "Delete Pet's Profile" });
  await expect(question).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
});
