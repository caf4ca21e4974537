import { copyApp, type AppCopy } from '../support/servers/app-copy.ts';
import { startBackendProcess } from '../support/servers/backend-process.ts';
import { expect, test as base } from './fixtures.ts';

/** A server with an app of its own, which the test can change. */
export const test = base.extend<{ readonly app: AppCopy }>({
  // Playwright wants the first argument to be a pattern, also an empty one.
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
