import { defineConfig } from 'playwright/test';
import { browserArgs } from '../support/browser-args.ts';

const browser = process.env['PAWPALS_BROWSER'];
if (browser === undefined) throw new Error('Run the browser tests through npm test');

/** Each test starts a server of its own, so tests run side by side. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results',
  timeout: 90_000,
  expect: { timeout: 20_000 },
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json']],
  use: {
    // A trace takes a fifth more time; `--trace on` has one of a failure.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: browser,
      args: [...browserArgs],
    },
  },
});
