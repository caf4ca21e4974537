import type { Page } from 'playwright/test';
import { scenes } from '../scenes/scenes.ts';
import { openStage, type Stage } from '../scenes/stage.ts';
import { faultsOf } from './faults.ts';
import { expect, test } from './fixtures.ts';
import { settle } from './owner.ts';

/** Each Playwright worker shows a part of the scenes on its own stage. */
let stage: Stage;
test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser);
});
test.afterAll(() => stage.close());

/** Returns how many pixels the page is wider than the window. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

/** Returns the elements whose content is cut off, and the controls that cannot be scrolled into view or are covered. */
async function lossOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    const nameOf = (element: Element): string =>
      `${element.tagName} ${(element.ariaLabel ?? element.textContent).slice(0, 40)}`;
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && element.clientHeight > 1;
    const isCut = (element: Element): boolean => {
      // A text box scrolls by itself.
      if (element.matches('input, textarea')) return false;
      const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(element);
      // Clamped lines are intended: they link to the full text.
      if (webkitLineClamp !== 'none') return false;
      const isWide = element.scrollWidth > element.clientWidth + 1;
      const isHigh = element.scrollHeight > element.clientHeight + 1;
      const hides = (overflow: string): boolean => overflow === 'hidden' || overflow === 'clip';
      return (hides(overflowX) && isWide) || (hides(overflowY) && isHigh);
    };
    const isOutOfReach = (element: Element): boolean => {
      // One link is visible only while it has the focus.
      if (element instanceof HTMLElement) element.focus({ preventScroll: true });
      element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      // A toast disappears by itself, and moves away from the focused element.
      if (middle?.closest('[data-toast]')) return false;
      return middle === null || !(element.contains(middle) || middle.contains(element));
    };
    const all = [...scope.querySelectorAll('*')].filter(isShown);
    const controls = all.filter((element) => element.matches('a[href], button, input, textarea'));
    return [
      ...all.filter(isCut).map((element) => `cut: ${nameOf(element)}`),
      ...controls.filter(isOutOfReach).map((element) => `out of reach: ${nameOf(element)}`),
    ];
  });
}

/** Returns the live regions that are not displayed. A screen reader may miss the text with which they appear. */
function missedRegionsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[role="status"]')]
      .filter((element) => getComputedStyle(element).display === 'none')
      .map(({ outerHTML }) => outerHTML),
  );
}

function enlargeText(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
}

/** 320 CSS pixels equal a window of 1,280 pixels at a zoom of 400 %. */
const narrow = { width: 320, height: 640 };
const phone = { width: 390, height: 844 };
const laptop = { width: 1_280, height: 800 };
const sizes = [laptop, { width: 640, height: 800 }, phone];

/** Waits until the columns beside the page of an owner have the dog's details and its month. */
async function expectColumns(page: Page): Promise<void> {
  if ((await page.locator('.app-frame').count()) === 0) return;
  const columns = page.locator('.side-column');
  await expect(columns).toHaveCount(2);
  if (!/[/]pets[/](?!none)[^/]+[/]/.test(page.url())) return;
  await expect(columns.locator('[aria-label^="Details of"]')).toBeVisible();
  await expect(columns.getByLabel('Month', { exact: true })).toBeVisible();
}

/** Changes the size of the window, and waits until the page has adapted to it. */
async function resize(page: Page, size: typeof narrow): Promise<void> {
  await page.setViewportSize(size);
  if (size === laptop) await expectColumns(page);
  await settle(page);
}

async function expectToFit(page: Page, name: string): Promise<void> {
  // A transition may still run.
  await expect.soft.poll(() => overflowOf(page), `${name} scrolls sideways`).toBeLessThanOrEqual(0);
}

for (const scene of scenes) {
  test(`${scene.name} has no axe violation in either theme, fits a narrow screen, and hides nothing with the text twice as large`, async () => {
    const size = scene.isWide ? laptop : phone;
    await stage.show(scene, { theme: 'light', ...size }, async (page) => {
      expect.soft(await faultsOf(page), 'light').toEqual([]);
      expect.soft(await missedRegionsOf(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect.soft(await faultsOf(page, 'colors'), 'dark').toEqual([]);
      await resize(page, narrow);
      await expectToFit(page, '320 px');
      await enlargeText(page);
      for (const enlarged of sizes) {
        const name = `large text, ${enlarged.width} px`;
        await resize(page, enlarged);
        await expectToFit(page, name);
        await expect.soft.poll(() => lossOf(page), name).toEqual([]);
      }
    });
  });
}

test('in forced colours, lines stand for the shapes that only their background tells', async () => {
  const scene = scenes.find(({ name }) => name === 'journal-month');
  if (scene === undefined) throw new Error('There is no such scene');
  await stage.show(scene, { theme: 'dark', ...phone }, async (page) => {
    await page.emulateMedia({ forcedColors: 'active' });
    const shapes = [
      page.getByRole('dialog'),
      page.getByRole('button', { name: 'Close' }),
      page.getByRole('gridcell').locator('span').first(),
      page.locator('.composer textarea'),
    ];
    for (const shape of shapes) await expect(shape).not.toHaveCSS('border-top-width', '0px');
    const colorOf = (isDisabled: boolean) =>
      page
        .locator(`[role=gridcell][aria-disabled=${String(isDisabled)}]`)
        .first()
        .evaluate((day) => getComputedStyle(day).color);
    // A day without entries cannot be chosen.
    expect(await colorOf(true)).not.toBe(await colorOf(false));
    // The panel opens at the month of the entry in view, which on the first of a month is the one before.
    await page.getByRole('combobox', { name: 'Month' }).selectOption({ index: 0 });
    const today = page.locator('[role=gridcell][aria-current]');
    await expect(today).not.toHaveCSS('border-top-width', '0px');
  });
});

test('the checks find a picture without a text alternative, and a box that is too wide', async () => {
  const [scene] = scenes;
  if (scene === undefined) throw new Error('There is no scene');
  await stage.show(scene, { theme: 'light', ...narrow }, async (page) => {
    await page.evaluate(() => {
      document.body.append(new Image());
      const box = document.createElement('p');
      box.textContent = 'x'.repeat(200);
      document.querySelector('main')?.append(box);
    });
    expect((await faultsOf(page)).join()).toContain('image-alt');
    await page.evaluate(() => {
      document.querySelector('main')?.append('too pale');
      document.querySelector('main')?.style.setProperty('color', '#ccc');
    });
    expect((await faultsOf(page, 'colors')).join()).toContain('color-contrast');
    expect(await overflowOf(page)).toBeGreaterThan(0);
    await page.evaluate(() => {
      const lid = document.createElement('div');
      lid.style.cssText = 'position:fixed;inset:0;z-index:9';
      const line = document.createElement('p');
      line.style.cssText = 'height:1rem;overflow:hidden';
      line.textContent = 'too much for one line '.repeat(20);
      document.querySelector('main')?.append(line, lid);
    });
    const loss = (await lossOf(page)).join();
    expect(loss).toContain('cut: P too much');
    expect(loss).toContain('out of reach');
  });
});
