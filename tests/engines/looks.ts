import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { wcagTags } from '../support/wcag-tags.ts';
import type { Hands } from './hands.ts';
import { button, type Target } from './look.ts';
import { until } from './until.ts';

interface Axe {
  run(options: object): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

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
  await page.inject(await readFile(axeFile, 'utf8'));
  const faults = await page.evaluate(
    async (tags) => {
      // The script that was injected has made it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const axe = Reflect.get(window, 'axe') as Axe;
      const { violations } = await axe.run({
        runOnly: { type: 'tag', values: tags },
        resultTypes: ['violations'],
      });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    [...wcagTags],
  );
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
