import type { Locator, Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { importNotes } from './imported-journal.ts';
import {
  addPet,
  expectNothingSaving,
  composer,
  expectSynced,
  newEmail,
  register,
  writeNote,
  openNote,
} from './owner.ts';

test.use({ serviceWorkers: 'block' });

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

/** The distance from the lower edge of the element that has the focus to the composer. */
async function roomBelowFocus(page: Page): Promise<number> {
  const bottom = await page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom);
  const box = await page.locator('form.composer').boundingBox();
  return (box?.y ?? 0) - (bottom ?? Infinity);
}

/** Returns the number of average characters that fit in a line of a text of several lines. */
function charactersPerLine(text: Locator): Promise<number> {
  return text.evaluate(async (element) => {
    await document.fonts.ready;
    const range = document.createRange();
    range.selectNodeContents(element);
    const widths = [...range.getClientRects()].map(({ width }) => width);
    const wholePx = widths.reduce((sum, width) => sum + width, 0);
    return (element.getBoundingClientRect().width * range.toString().length) / wholePx;
  });
}

test('on a wide screen a line has about 68 characters, in the journal and on the page of a note', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await openDesk(page);
  await page.setViewportSize({ width: 1_600, height: 900 });
  const text = 'He quartered the heather well, and pointed at a covey near the burn. '
    .repeat(8)
    .trim();
  await writeNote(page, text);
  // The element of a note is replaced when it is stored.
  await expectNothingSaving(page);
  const inJournal = await charactersPerLine(page.getByRole('listitem').getByText(text));
  await openNote(page, text);
  const onPage = await charactersPerLine(page.getByRole('article').getByText(text));
  for (const count of [inJournal, onPage]) {
    expect(count).toBeGreaterThan(66);
    expect(count).toBeLessThan(70);
  }
});

test('on a desktop the composer covers neither a note that gets the focus by Tab nor its ring', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await page.setViewportSize(laptop);
  await register(page, newEmail());
  const text = 'He quartered the heather well, and pointed at a covey near the burn. '.repeat(6);
  const hours = Array.from({ length: 20 }, (_, index) => index);
  const dayMs = Date.parse('2026-03-01T04:00:00Z');
  await importNotes(
    page,
    hours.map((hour) => ({ id: `n${hour}`, createdMs: dayMs + hour * 3_600_000, text })),
  );
  await column(page, 'Dogs').getByRole('link', { name: 'Bramble' }).click();
  await composer(page).focus();
  for (const _ of hours) await page.keyboard.press('Shift+Tab');
  const inJournal = page.getByRole('listitem').locator(':focus');
  const rooms: number[] = [];
  while ((await inJournal.count()) > 0) {
    rooms.push(await roomBelowFocus(page));
    await page.keyboard.press('Tab');
  }
  expect(rooms.length).toBeGreaterThan(10);
  // The ring is 3 px wide, at a distance of 2 px.
  expect(Math.min(...rooms)).toBeGreaterThanOrEqual(5);
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
