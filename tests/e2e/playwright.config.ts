import { defineConfig } from 'playwright/test';
import { browserArgs } from '../support/browser-args.ts';

const browser = process.env['PAWPALS_BROWSER'];
if (browser === undefined) throw new Error('Run the browser tests through npm test');

/** Files whose tests take longest come first, so that no worker is left alone with one of them in the end. */
const takesLong =
  /(accessibility|background|disasters|export-import|pictures|stuck-worker|tabs-and-owners|updates|voice-notes|voice-troubles|walk)\.e2e\.ts$/;

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results',
  timeout: 90_000,
  expect: { timeout: 20_000 },
  workers: 2,
  // No test relies on another one of its file.
  fullyParallel: true,
  projects: [
    { name: 'long', testMatch: takesLong },
    { name: 'short', testIgnore: takesLong },
  ],
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
