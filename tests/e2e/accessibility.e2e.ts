import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { scenes } from '../scenes/scenes.ts';
import { openStage, type Stage } from '../scenes/stage.ts';
import { expect, test } from './fixtures.ts';

/** What WCAG 2.2 AA asks for, as far as a tool can see it, and what is good practice beside. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let stage: Stage;
test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser);
});
test.afterAll(() => stage.close());

async function faultsOf(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Whether something sticks out to the right, where nobody scrolls to. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

for (const theme of ['light', 'dark'] as const) {
  test(`no page has a fault that a tool can find, ${theme}`, async () => {
    test.slow();
    for (const scene of scenes) {
      await stage.show(scene, { theme, width: 390, height: 844 }, async (page) => {
        expect.soft(await faultsOf(page), scene.name).toEqual([]);
      });
    }
  });
}

test('every page fits 320 px, which is also 1,280 px at 400 %', async () => {
  test.slow();
  for (const scene of scenes) {
    await stage.show(scene, { theme: 'light', width: 320, height: 640 }, async (page) => {
      expect.soft(await overflowOf(page), scene.name).toBeLessThanOrEqual(0);
    });
  }
});

test('the tools find a picture without words, and a box too wide', async () => {
  const [scene] = scenes;
  if (scene === undefined) throw new Error('There is no scene');
  await stage.show(scene, { theme: 'light', width: 320, height: 640 }, async (page) => {
    await page.evaluate(() => {
      document.body.append(new Image());
      const box = document.createElement('p');
      box.textContent = 'x'.repeat(200);
      document.querySelector('main')?.append(box);
    });
    expect((await faultsOf(page)).join()).toContain('image-alt');
    expect(await overflowOf(page)).toBeGreaterThan(0);
  });
});
