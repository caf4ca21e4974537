import { copyApp, type AppCopy } from '../support/servers/app-copy.ts';
import { startBackendProcess } from '../support/servers/backend-process.ts';
import { expect, test as base } from './fixtures.ts';

/** A test whose server serves its own copy of the app, which the test can change. */
export const test = base.extend<{ readonly app: AppCopy }>({
  // Playwright requires the first argument to be a destructuring pattern, even an empty one.
  // oxlint-disable-next-line no-empty-pattern
  app: async ({}, use) => {
    const app = await copyApp();
    await use(app);
    await app.dispose();
  },
  backend: async ({ app }, use) => {
    const backend = await startBackendProcess({ app: app.folder });
    await use(backend);
    await backend.dispose();
  },
});

export { expect };
