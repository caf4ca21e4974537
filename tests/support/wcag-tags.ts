/** The axe tags for WCAG 2.2 AA, as far as a tool can check it, and for good practice. */
export const wcagTags: readonly string[] = [
  'wcag2a',
  'wcag2aa',
  'wcag21a',
  'wcag21aa',
  'wcag22aa',
  'best-practice',
];
