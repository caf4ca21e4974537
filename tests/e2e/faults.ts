import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { wcagTags } from '../support/wcag-tags.ts';

/** The rules of those tags whose result depends on the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the violations that axe finds on a page as it is now.
 * @param rules `colors` checks only the rules that depend on the theme, for a page whose other rules were checked
 * before.
 */
export async function faultsOf(page: Page, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  const chosen = rules === 'all' ? axe.withTags([...wcagTags]) : axe.withRules(colorRules);
  // Legacy mode ignores frames, which these pages lack; otherwise axe opens an extra tab for each analysis.
  const { violations } = await chosen.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
