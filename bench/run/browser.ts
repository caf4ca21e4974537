import { chromium, type BrowserContext, type Page } from 'playwright';
import { browserArgs } from '../../tests/support/browser-args.ts';

function executablePath(): string {
  const path = process.env['PAWPALS_BROWSER'];
  if (path === undefined) throw new Error('Run the benchmarks through npm run bench');
  return path;
}

/** The browser with a real profile on disk. @param baseURL what paths are relative to. */
export function openProfile(folder: string, baseURL?: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    ...(baseURL === undefined ? {} : { baseURL }),
    executablePath: executablePath(),
    args: [...browserArgs],
    serviceWorkers: 'block',
    locale: 'en-GB',
  });
}

export async function browserVersion(): Promise<string> {
  const browser = await chromium.launch({
    executablePath: executablePath(),
    args: [...browserArgs],
  });
  const version = browser.version();
  await browser.close();
  return version;
}

/** Runs work on a page of its own. */
export async function withPage<Result>(
  context: BrowserContext,
  url: string,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const page = await context.newPage();
  try {
    await page.goto(url);
    return await work(page);
  } finally {
    await page.close();
  }
}
