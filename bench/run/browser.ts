import { chromium, type BrowserContext, type Page } from 'playwright';
import { measuredBrowserArgs, oneColumn } from '../../tests/support/browser-args.ts';

export function executablePath(): string {
  const path = process.env['PAWPALS_BROWSER'];
  if (path === undefined) throw new Error('Run the benchmarks through npm run bench');
  return path;
}

export interface ProfileOptions {
  /** The base of relative paths. */
  readonly baseURL?: string;
  /** Whether the app's service worker runs; else everything comes from the server. */
  readonly hasWorker?: boolean;
  /** Arguments of the browser, besides those of every browser. */
  readonly args?: readonly string[];
}

/** Opens the browser with a real profile on disk. */
export function openProfile(
  folder: string,
  { hasWorker = false, args = [], ...options }: ProfileOptions = {},
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    ...options,
    executablePath: executablePath(),
    args: [...measuredBrowserArgs, ...args],
    serviceWorkers: hasWorker ? 'allow' : 'block',
    locale: 'en-GB',
    viewport: oneColumn,
  });
}

export async function browserVersion(): Promise<string> {
  const browser = await chromium.launch({
    executablePath: executablePath(),
    args: [...measuredBrowserArgs],
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

/** Returns the used heap after a garbage collection. */
export async function usedHeapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
