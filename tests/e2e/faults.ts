import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';

/** What WCAG 2.2 AA asks for, as far as a tool can see it, and what is good practice beside. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What a tool finds wrong with a page as it is now. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  // Pages here have no frames, for which axe otherwise opens a tab of its own each time.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(tags)
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
