import { scenes } from '../scenes/scenes.ts';
import { openStage, type Stage } from '../scenes/stage.ts';
import { browserArgs } from '../support/browser-args.ts';
import { expect, test } from './fixtures.ts';

test.use({ serviceWorkers: 'block' });

// Scroll bars take room beside the content, as on most desktops.
test.use({
  launchOptions: {
    executablePath: process.env['PAWPALS_BROWSER'] ?? '',
    args: [...browserArgs],
    ignoreDefaultArgs: ['--hide-scrollbars'],
  },
});

let stage: Stage;
test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser);
});
test.afterAll(() => stage.close());

function sceneOf(wanted: string) {
  const scene = scenes.find(({ name }) => name === wanted);
  if (scene === undefined) throw new Error(`no scene ${wanted}`);
  return scene;
}

test('the sticky day stands over the days of the journal', async () => {
  const look = { theme: 'light', width: 800, height: 800 } as const;
  await stage.show(sceneOf('profile'), look, async (page) => {
    const entries = page.getByRole('list', { name: 'Journal' });
    await entries.hover();
    const sticky = page.getByRole('button', { name: /. Go to a date$/ });
    const soon = { timeout: 1_000 };
    // It is not there where the heading of the day is itself in view.
    await expect(async () => {
      await page.mouse.wheel(0, -250);
      const stands = await sticky.boundingBox(soon);
      const day = await entries.getByRole('heading').first().boundingBox(soon);
      expect(stands?.x).toBe(day?.x);
    }).toPass();
  });
});

test('the rate of a voice note stands on the line of its time', async () => {
  const look = { theme: 'light', width: 360, height: 640 } as const;
  await stage.show(sceneOf('profile'), look, async (page) => {
    const baselines = page
      .getByRole('group', { name: 'Voice note' })
      .last()
      .evaluate((player) =>
        [...player.querySelectorAll('.tabular-nums')].map((words) => {
          const mark = document.createElement('span');
          mark.style.display = 'inline-block';
          words.append(mark);
          return mark.getBoundingClientRect().bottom;
        }),
      );
    const [time, rate] = await baselines;
    expect(rate).toBe(time);
  });
});

test('the month and its year fit into their box on a narrow screen with large text', async () => {
  const look = { theme: 'light', width: 320, height: 640 } as const;
  await stage.show(sceneOf('journal-month'), look, async (page) => {
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const box = page.getByRole('dialog').getByRole('combobox', { name: 'Month' });
    const spare = await box.evaluate((select) => {
      const copy = select.cloneNode(true);
      if (!(copy instanceof HTMLElement)) throw new Error('no copy');
      Object.assign(copy.style, { position: 'absolute', width: 'max-content', maxWidth: 'none' });
      select.after(copy);
      const neededPx = copy.getBoundingClientRect().width;
      copy.remove();
      return select.getBoundingClientRect().width - neededPx;
    });
    expect(spare).toBeGreaterThanOrEqual(0);
  });
});
