import { expect, test } from './fixtures.ts';
import { addPet, openWithPet, scrollTo } from './owner.ts';

test.use({ serviceWorkers: 'block' });

test('a step back restores the scroll position of a page, also after a reload in between', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice(), 'Ash');
  for (const name of ['Bracken', 'Clover', 'Dill']) await addPet(page, name);
  await page.setViewportSize({ width: 390, height: 360 });
  await page.goto('/pets');
  const last = page.getByRole('link', { name: /Dill/ });
  await scrollTo(last);
  const offset = () =>
    page
      .getByRole('main')
      .evaluate((main) =>
        Math.max(...[...main.querySelectorAll('*')].map(({ scrollTop }) => scrollTop)),
      );
  const left = await offset();
  expect(left).toBeGreaterThan(50);
  await last.click();
  await expect(page.getByRole('heading', { name: 'Dill' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Dill' })).toBeVisible();
  await page.goBack();
  await expect(last).toBeVisible();
  await expect.poll(offset).toBe(left);
  // The position is stored for this tab's session.
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(sessionStorage), Object.keys(localStorage)]),
  );
  expect(kept).toMatch(/scroll/);
});
