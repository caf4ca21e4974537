import type { CDPSession, Locator, Page } from 'playwright/test';
import { expect, test, type Device } from './fixtures.ts';
import { importNotes, type ImportedNote } from './imported-journal.ts';
import { goOffline, journal, newEmail, openPet, register, writeNote } from './owner.ts';

const dayCount = 200;

/** Returns noon of that day, so that a daylight saving change does not lead to another day. */
function daysAgo(count: number): Date {
  const date = new Date();
  date.setDate(date.getDate() - count);
  date.setHours(12, 0, 0, 0);
  return date;
}

function dayName(date: Date): string {
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' });
}

function monthName(date: Date): string {
  return date.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
}

/** How many days ago the last note was a web address. */
const linkAgo = 108;
const address = 'https://walks.example';

/** Returns two notes for each day except every fifth. The first note of a day states how many days ago it is. */
function notes(): readonly ImportedNote[] {
  const days = Array.from({ length: dayCount }, (_, index) => index + 1).filter((ago) => ago % 5);
  return days.flatMap((ago) => {
    const createdMs = daysAgo(ago).getTime();
    return [
      { id: `first${ago}`, createdMs, text: `${ago} ago` },
      { id: `last${ago}`, createdMs: createdMs + 1, text: ago === linkAgo ? address : 'walk' },
    ];
  });
}

/** Opens a long journal at its newest entry. */
async function openLongJournal(device: Device): Promise<Page> {
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  await importNotes(page, notes());
  await page.goto('/pets');
  await openPet(page, 'Bramble');
  await expect(note(page, 1)).toBeInViewport();
  return page;
}

/** Returns the first note of a day. */
function note(page: Page, ago: number): Locator {
  return journal(page).getByRole('link', { name: `${ago} ago`, exact: true });
}

function scrollerOf(page: Page): Locator {
  return page.locator('[data-scroll-restoration-id]').filter({ has: journal(page) });
}

function dateButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Go to a date', exact: true });
}

function day(page: Page, ago: number): Locator {
  const grid = page.getByRole('grid', { name: monthName(daysAgo(ago)) });
  return grid.getByRole('gridcell', { name: `${dayName(daysAgo(ago))}, 2 entries`, exact: true });
}

/** Scrolls the journal until the centres of both have the same height. */
async function scrollUnder(element: Locator, cover: Locator): Promise<void> {
  const coverBox = await cover.boundingBox();
  if (coverBox === null) throw new Error('nothing to scroll under');
  await element.evaluate(
    (own, centre) => {
      const { top, height } = own.getBoundingClientRect();
      const scroller = own.closest('[data-scroll-restoration-id]');
      scroller?.scrollBy({ top: top + height / 2 - centre, behavior: 'instant' });
    },
    coverBox.y + coverBox.height / 2,
  );
}

/**
 * Scrolls down to the newest entry in small steps, while newer pages arrive.
 * @returns how far the entry in the middle moved apart from the steps, for each step where it did.
 */
function scrollToNewest(page: Page): Promise<readonly number[]> {
  return scrollerOf(page).evaluate(async (scroller) => {
    const stepPx = 150;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const { top, height } = scroller.getBoundingClientRect();
    const topOf = (row: Element | undefined) => row?.getBoundingClientRect().top ?? 0;
    const jumps: number[] = [];
    while (document.querySelector('[title="To the newest entry"]') !== null) {
      const row = [...scroller.querySelectorAll('[role=listitem]')].findLast(
        (item) => topOf(item) < top + height / 2,
      );
      const step = Math.min(stepPx, -scroller.scrollTop);
      const expected = topOf(row) - step;
      scroller.scrollBy({ top: step, behavior: 'instant' });
      for (let count = 0; count < 3; count += 1) await frame();
      const moved = Math.round(topOf(row) - expected);
      if (Math.abs(moved) > 3) jumps.push(moved);
    }
    return jumps;
  });
}

async function tap(touch: CDPSession, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('nothing to tap on');
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('by keyboard and offline, the calendar leads to a date of a long journal, and one step leads back', async ({
  newDevice,
}) => {
  const page = await openLongJournal(await newDevice());
  await goOffline(page);
  await dateButton(page).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Go to a date' })).toBeVisible();
  // The day at the upper edge of the journal has the focus, whichever day that is.
  await expect(page.getByRole('gridcell', { selected: true })).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(page.locator('[aria-current=date]')).toBeFocused();
  for (let week = 0; week < 16; week += 1) await page.keyboard.press('ArrowUp');
  await expect(day(page, 112)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(note(page, 113)).toBeFocused();
  await expect(note(page, 113)).toBeInViewport();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(note(page, 1)).toHaveCount(0);

  await page.goBack();
  await expect(note(page, 1)).toBeInViewport();
  await expect(note(page, 113)).toHaveCount(0);

  await dateButton(page).press('Enter');
  await expect(page.getByRole('gridcell', { selected: true })).toBeFocused();
  for (let year = 0; year < 2; year += 1) await page.keyboard.press('Shift+PageUp');
  // The calendar ends at the first entry.
  await expect(day(page, 199)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Previous month' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dateButton(page)).toBeFocused();
});

test('by touch, the day at the upper edge leads to a month, and the same day can be chosen again', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openLongJournal(device);
  await page.setViewportSize({ width: 390, height: 844 });
  const touch = await device.context.newCDPSession(page);
  const target = daysAgo(102);

  await tap(touch, dateButton(page));
  const sheet = page.getByRole('dialog', { name: 'Go to a date' });
  await sheet.getByRole('combobox', { name: 'Month' }).selectOption(monthName(target));
  await tap(touch, day(page, 102));
  await expect(sheet).toHaveCount(0);
  await expect(note(page, 102)).toBeInViewport();

  const stickyDay = page.getByRole('button', { name: /. Go to a date$/ });
  const link = journal(page).getByRole('link', { name: address });
  await link.scrollIntoViewIfNeeded();
  await scrollUnder(link, stickyDay);
  await expect(note(page, 102)).not.toBeInViewport();
  await tap(touch, stickyDay);
  await expect(sheet.getByRole('gridcell', { selected: true })).toHaveCount(1);
  await sheet.getByRole('combobox', { name: 'Month' }).selectOption(monthName(target));
  await tap(touch, day(page, 102));
  await expect(note(page, 102)).toBeInViewport();
  await expect(page.getByRole('button', { name: 'To the newest entry' })).toBeVisible();

  await page.goBack();
  await expect(note(page, 1)).toBeInViewport();
});

test('what is being read stays in place while newer notes arrive below, also after a step back', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openLongJournal(device);
  await dateButton(page).click();
  await page.getByRole('combobox', { name: 'Month' }).selectOption(monthName(daysAgo(102)));
  await day(page, 102).click();
  await note(page, 102).click();
  await expect(page).toHaveURL(/notes/);
  await page.goBack();
  await expect(note(page, 102)).toBeInViewport();
  expect(await scrollToNewest(page)).toEqual([]);

  await note(page, 14).scrollIntoViewIfNeeded();
  await expect(scrollerOf(page)).toHaveCSS('overflow-anchor', 'auto');
  const other = await device.open(new URL(page.url()).pathname);
  await expect(note(other, 1)).toBeInViewport();
  const topOf = async (ago: number) => (await note(page, ago).boundingBox())?.y ?? 0;
  const before = await topOf(14);
  await writeNote(other, 'from another tab');
  await expect(journal(page).getByText('from another tab')).toHaveCount(1);
  expect(Math.abs((await topOf(14)) - before)).toBeLessThan(3);
});
