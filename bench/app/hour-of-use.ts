import type { Page } from 'playwright';
import { composer, journal, openPet } from '../../tests/e2e/owner.ts';
import { usedHeapBytes } from '../run/browser.ts';
import type { AppOnDevice } from './filled-app.ts';
import { slowedDown, visit } from './visit.ts';

/** One walk a minute makes an hour. */
const walks = 60;
/** After these walks all screens were opened, and their lasting memory is allocated. */
const firstWalks = 10;
const wheelStepPx = 3_000;
const wheelSteps = 10;

/** Goes from the list of dogs into a journal, writes and reads there, and returns. */
async function walkThrough(page: Page, index: number): Promise<void> {
  await openPet(page, 'Bramble');
  const text = `Walk ${index} of the hour`;
  await composer(page).fill(text);
  await composer(page).press('Enter');
  const note = journal(page).getByRole('link', { name: text });
  await note.waitFor();
  await journal(page).hover();
  for (let step = 0; step < wheelSteps; step += 1) await page.mouse.wheel(0, -wheelStepPx);
  for (let step = 0; step < wheelSteps; step += 1) await page.mouse.wheel(0, wheelStepPx);
  await note.click();
  await page.getByRole('button', { name: 'Delete' }).waitFor();
  await page.goBack();
  await composer(page).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'My Dogs' }).waitFor();
}

export interface HourOfUse {
  readonly soonBytes: number;
  readonly lateBytes: number;
}

/** Measures the page's memory after a few walks through the app and after many, online. */
export function measureHour(app: AppOnDevice): Promise<HourOfUse> {
  return visit(app, { isOffline: false, slowdown: slowedDown }, async (page) => {
    await page.goto('/pets');
    let soonBytes = 0;
    for (let walk = 1; walk <= walks; walk += 1) {
      await walkThrough(page, walk);
      if (walk === firstWalks) soonBytes = await usedHeapBytes(page);
    }
    return { soonBytes, lateBytes: await usedHeapBytes(page) };
  });
}
