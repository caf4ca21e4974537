import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { wcagTags } from '../support/wcag-tags.ts';

/** The rules of those tags whose answer depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the violations that axe finds on a page as it is now.
 * @param rules `colors`: the page was looked at as a whole, and only its theme has changed since.
 */
export async function faultsOf(page: Page, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  const chosen = rules === 'all' ? axe.withTags([...wcagTags]) : axe.withRules(colorRules);
  // Pages here have no frames, for which axe otherwise opens a tab of its own each time.
  const { violations } = await chosen.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
