import type { Page, Route } from 'playwright/test';

/**
 * Answers the first request of the page or its worker that matches the pattern; later requests go on to the server.
 * Playwright's own `times` option removes its interception after the last request, at the moment in which the app sends
 * another one.
 */
export async function answerFirst(
  page: Page,
  pattern: string,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  let isFirst = true;
  await page.context().route(pattern, async (route) => {
    const wasFirst = isFirst;
    isFirst = false;
    await (wasFirst ? answer(route) : route.continue());
  });
}

/** Returns the first request that matches the pattern, unanswered. */
export function holdFirst(page: Page, pattern: string): Promise<Route> {
  return new Promise((resolve, reject) => {
    answerFirst(page, pattern, async (route) => resolve(route)).catch(reject);
  });
}
