import assert from 'node:assert/strict';
import { allRules, readAxe, runAxe } from '../support/axe.ts';
import type { Hands } from './hands.ts';
import { button, type Target } from './look.ts';
import { until } from './until.ts';

/**
 * Axe checks the page of the moment. Before the app has started there is no main landmark, no heading, and text outside
 * of landmarks: these three findings are the only ones that Firefox has shown under load. A fade changes the contrast.
 */
const isSettled = (): boolean =>
  document.querySelector('main') !== null &&
  document.querySelector('h1') !== null &&
  document.getAnimations().every(({ playState }) => playState !== 'running');

/** Fails for each violation that axe finds on the page once it has started and nothing on it moves. */
export async function expectNoFaults({ page }: Hands): Promise<void> {
  await until('a page that is settled', async () => (await page.evaluate(isSettled)) || null);
  await page.inject(await readAxe());
  const faults = await page.evaluate(runAxe, allRules);
  assert.deepEqual(faults, []);
}

/** Nothing sticks out to the side, and this can be pressed. */
export async function expectToFit(hands: Hands, control: Target): Promise<void> {
  let overflow = 0;
  await until(
    'a page without a sideways scroll',
    async () => {
      overflow = await hands.page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      return overflow <= 0 ? true : null;
    },
    () => overflow,
  );
  await hands.reaches(control);
}

/** As who reads with large letters does. */
export const enlargeText = ({ page }: Hands, percent: number): Promise<null> =>
  page.evaluate((size) => {
    document.documentElement.style.fontSize = `${String(size)}%`;
    return null;
  }, percent);

export const recordButton = button('Record');
