import type { Page } from 'playwright/test';
import { of } from '../scenes/scene.ts';
import { openStage, type Stage } from '../scenes/stage.ts';
import { expect, test } from './fixtures.ts';
import { expectPlays, voiceNotes } from './voice.ts';

test.use({ serviceWorkers: 'block' });

let stage: Stage;
test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser);
});
test.afterAll(() => stage.close());

const phone = { theme: 'light', width: 390, height: 844 } as const;

function show(path: string, work: (page: Page) => Promise<void>): Promise<void> {
  return stage.show(
    of('demo')(path, path, () => Promise.resolve()),
    phone,
    work,
  );
}

test('the demo owner sees the pictures of two dogs and hears a spoken note', async () => {
  await show('/pets', async (page) => {
    const cards = page.getByRole('main').getByRole('listitem');
    await expect(cards).toHaveCount(3);
    await expect(cards.locator('img')).toHaveCount(2);
    for (const picture of await cards.locator('img').all()) {
      await expect(picture).toHaveJSProperty('naturalWidth', 768);
    }
  });
  await show('/pets/demo-bramble/profile', async (page) => {
    const spoken = voiceNotes(page).filter({ hasText: 'Two blind retrieves on the dyke' });
    await expect(spoken).toBeVisible();
    await expectPlays(page, spoken);
  });
});
