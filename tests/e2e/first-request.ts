import type { Page, Route } from 'playwright/test';

/**
 * Answers the first request of that pattern; those after it go on to the server. Playwright's own `times` ends its
 * interception after the last one, in the very moment in which the app asks for something else.
 */
export async function answerFirst(
  page: Page,
  pattern: string,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  let isFirst = true;
  await page.route(pattern, async (route) => {
    const wasFirst = isFirst;
    isFirst = false;
    await (wasFirst ? answer(route) : route.continue());
  });
}

/** The first request of that pattern, which nobody has answered. */
export function holdFirst(page: Page, pattern: string): Promise<Route> {
  return new Promise((resolve, reject) => {
    answerFirst(page, pattern, async (route) => resolve(route)).catch(reject);
  });
}
