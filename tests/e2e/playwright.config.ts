import { defineConfig } from 'playwright/test';
import { browserArgs } from '../support/browser-args.ts';

const browser = process.env['PAWPALS_BROWSER'];
if (browser === undefined) throw new Error('Run the browser tests through npm test');

/** The files with the longest tests run first, so that no worker runs one of them alone at the end. */
const takesLong =
  /(accessibility|background|disasters|everyday-tasks|export-import|native-files|pictures|stuck-worker|tabs-and-owners|updates|voice-notes|voice-troubles|walk)\.e2e\.ts$/;

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results',
  timeout: 90_000,
  expect: { timeout: 20_000 },
  workers: 2,
  // No test depends on another one of its file.
  fullyParallel: true,
  projects: [
    { name: 'long', testMatch: takesLong },
    { name: 'short', testIgnore: takesLong },
  ],
  retries: 0,
  forbidOnly: true,
  reporter: [['list'], ['json']],
  use: {
    // Tracing takes a fifth more time; `--trace on` traces a failure.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: browser,
      args: [...browserArgs],
    },
  },
});
