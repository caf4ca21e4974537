/** What WCAG 2.2 AA asks for, as far as a tool can see it, and what is good practice beside. */
export const wcagTags: readonly string[] = [
  'wcag2a',
  'wcag2aa',
  'wcag21a',
  'wcag21aa',
  'wcag22aa',
  'best-practice',
];
