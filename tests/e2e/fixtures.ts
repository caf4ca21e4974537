import {
  test as base,
  expect,
  type BrowserContext,
  type ConsoleMessage,
  type Page,
} from 'playwright/test';
import { startBackendProcess, type BackendProcess } from '../support/servers/backend-process.ts';

/** One device of an owner: a browser profile of its own. */
export interface Device {
  readonly context: BrowserContext;
  /** Opens a tab at that path. */
  open(path?: string): Promise<Page>;
}

/** A server that other tests use too: a test looks only at what its own owners have there. */
export type SharedBackend = Pick<BackendProcess, 'url' | 'mailsTo' | 'chooserCode'>;

/** The page alone, without the columns that wider windows have beside it: `desk.e2e.ts` looks at those. */
const oneColumn = { width: 720, height: 720 };

interface Fixtures {
  readonly backend: SharedBackend;
  readonly newDevice: () => Promise<Device>;
  /** Lines in the console that the test provokes; `test.use` sets it. */
  readonly expectedErrors: RegExp;
}

/** The picture that the SDK asks Google for when its stream breaks. The content security policy refuses it. */
export const refusedProbe = /cleardot\.gif/;

/**
 * After a request without an answer the app asks, without its token, whether it is Firestore that answers. If the connection
 * is back by then, the server refuses: that is the answer, and the browser writes it down.
 */
const refusedQuestion = /\/documents\/sync\/probe$/;

/**
 * Lines of the browser, and not of the app. A request that gets no answer (offline, a killed server) is one of them; one that
 * is answered with an error counts, unless the test names it.
 */
const ignoredLines = [refusedProbe, refusedQuestion, /net::ERR_/];

function watchConsole(page: Page, problems: string[], expectedErrors: RegExp): void {
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`;
    const isIgnored = [...ignoredLines, expectedErrors].some((pattern) => pattern.test(text));
    if (message.type() === 'error' && !isIgnored) problems.push(text);
  });
}

interface WorkerFixtures {
  /** Starts with the first test of a Playwright worker that uses it. */
  readonly workerBackend: SharedBackend;
}

/** A fixture that is a server with these options, and ends with the fixture's scope. */
export function backendWith(options: Parameters<typeof startBackendProcess>[0]) {
  // Playwright wants the first argument to be a pattern, also an empty one.
  // oxlint-disable-next-line no-empty-pattern
  return async ({}, use: (backend: BackendProcess) => Promise<void>): Promise<void> => {
    const backend = await startBackendProcess(options);
    await use(backend);
    await backend.dispose();
  };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  workerBackend: [backendWith({}), { scope: 'worker' }],
  backend: async ({ workerBackend }, use) => {
    await use(workerBackend);
  },
  // Matches nothing. Not a list: Playwright takes a list of two for a value and its options.
  expectedErrors: [/(?!)/, { option: true }],
  newDevice: async ({ browser, backend, expectedErrors }, use, testInfo) => {
    const contexts: BrowserContext[] = [];
    const problems: string[] = [];
    const lines: string[] = [];
    await use(async () => {
      const context = await browser.newContext({
        baseURL: backend.url,
        locale: 'en-GB',
        viewport: oneColumn,
      });
      const device = contexts.push(context);
      context.on('page', (page) => watchConsole(page, problems, expectedErrors));
      const note = (message: ConsoleMessage): void => {
        lines.push(`${new Date().toISOString()} device ${device}: ${message.text()}`);
      };
      context.on('console', note);
      context.on('serviceworker', (worker) => worker.on('console', note));
      return {
        context,
        open: async (path = '/') => {
          const page = await context.newPage();
          await page.goto(path);
          return page;
        },
      };
    });
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('console', { body: lines.join('\n') });
    }
    for (const context of contexts) await context.close();
    expect(problems, 'errors in the console').toEqual([]);
  },
});

interface OwnBackend {
  readonly ownBackend: BackendProcess;
}

/** For a test that kills or configures its server: no other test uses that one. */
export const ownBackendTest = test.extend<OwnBackend>({
  ownBackend: backendWith({}),
  backend: async ({ ownBackend }, use) => {
    await use(ownBackend);
  },
});

export { expect };
