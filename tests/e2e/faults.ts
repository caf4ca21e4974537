import type { Page } from 'playwright/test';
import { allRules, readAxe, runAxe, type AxeRules } from '../support/axe.ts';

/** The rules of axe whose result depends on the theme. */
const colorRules: AxeRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * Returns the violations that axe finds on a page as it is now.
 * @param rules `colors` checks only the rules that depend on the theme, for a page whose other rules were checked
 * before.
 */
export async function faultsOf(page: Page, rules: 'all' | 'colors' = 'all'): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(await readAxe());
  return page.evaluate(runAxe, rules === 'all' ? allRules : colorRules);
}
