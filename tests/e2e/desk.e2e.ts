import type { Locator, Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import {
  addPet,
  composer,
  expectSynced,
  newEmail,
  register,
  writeNote,
  openNote,
} from './owner.ts';

const laptop = { width: 1_280, height: 800 };

async function openDesk(page: Page): Promise<void> {
  await page.setViewportSize(laptop);
  await register(page, newEmail());
  await addPet(page, 'Moss');
  await addPet(page, 'Bramble');
}

function column(page: Page, name: 'Dogs' | 'Beside the page'): Locator {
  const role = name === 'Dogs' ? 'navigation' : 'complementary';
  return page.getByRole(role, { name });
}

/** Returns the left edge and the width of each column. */
async function columnsOf(page: Page): Promise<unknown> {
  await expect(column(page, 'Dogs')).toBeVisible();
  await expect(column(page, 'Beside the page')).toBeVisible();
  const parts = [column(page, 'Dogs'), page.getByRole('banner'), page.getByRole('main')];
  const boxes = [...parts, column(page, 'Beside the page')].map((part) =>
    part.evaluate((element) => {
      const { left, width } = element.getBoundingClientRect();
      return { left, width };
    }),
  );
  return Promise.all(boxes);
}

test('on a desktop no column moves between pages, and the current dog is marked on all of its pages', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await openDesk(page);
  const profile = new URL(page.url()).pathname;
  await writeNote(page, 'buried a bone');
  await expectSynced(page);
  const columns = await columnsOf(page);
  await openNote(page, 'buried a bone');
  await expect(page.getByRole('heading', { level: 1, name: 'Note' })).toBeVisible();
  const note = new URL(page.url()).pathname;

  const ofDog = [note, `${note}/action/edit`, profile.replace('profile', 'actions'), profile];
  for (const path of [...ofDog, '/pets', '/pets/new', '/settings', '/help', '/search']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await columnsOf(page), path).toEqual(columns);
    const marked = column(page, 'Dogs').locator('[aria-current]');
    const own = path === '/pets/new' ? ['Add dog'] : [];
    await expect(marked).toHaveText(ofDog.includes(path) ? [/Bramble/] : own);
    await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
  }
});

test('on a desktop Tab goes from the dogs through the page to the column at its right', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await openDesk(page);
  await expect(column(page, 'Beside the page')).toBeVisible();
  await column(page, 'Dogs').getByRole('link', { name: 'Moss' }).focus();
  const stops = await page.evaluate(() => [document.activeElement?.textContent ?? '']);
  const right = column(page, 'Beside the page');
  const last = right.getByRole('button', { name: 'Keyboard shortcuts' });
  while (!(await last.evaluate((element) => element === document.activeElement))) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const { activeElement: active } = document;
        return active?.ariaLabel ?? active?.textContent ?? '';
      }),
    );
    if (stops.length > 20) break;
  }
  const order = ['Moss', 'Add dog', 'Back', 'Actions', 'Write a note', 'Search', 'Edit Details'];
  expect(stops.filter((name) => order.includes(name) || name.endsWith('Moss'))).toEqual(
    order.map((name) => (name === 'Moss' ? expect.stringMatching(/Moss$/) : name)),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(last).toBeFocused();
});

test('single-key shortcuts search, write and show their list, and type letters in a text box', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await openDesk(page);
  // The code that listens for the keys is loaded when the page is idle.
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(list).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);

  await page.keyboard.press('n');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type('n/?');
  await expect(composer(page)).toHaveValue('n/?');
  await composer(page).fill('');
  await column(page, 'Dogs').getByRole('link', { name: 'Moss' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Moss' })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search the journal' })).toBeFocused();
  await expect(page.getByRole('searchbox', { name: 'Search the journal' })).toHaveValue('');
});
