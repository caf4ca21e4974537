import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';

/** What WCAG 2.2 AA asks for, as far as a tool can see it, and what is good practice beside. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What a tool finds wrong with a page as it is now. */
export async function faultsOf(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
