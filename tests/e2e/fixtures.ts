import {
  test as base,
  expect,
  type BrowserContext,
  type ConsoleMessage,
  type Page,
  type WebError,
  type Worker,
} from 'playwright/test';
import { oneColumn } from '../support/browser-args.ts';
import { startBackendProcess, type BackendProcess } from '../support/servers/backend-process.ts';
import { createProfiles, type Profiles } from './profiles.ts';

/** One device of an owner, with its own browser profile. */
export interface Device {
  readonly context: BrowserContext;
  /** Opens a tab at that path. */
  open(path?: string): Promise<Page>;
}

/** A server that several tests share: a test looks only at the data of its own owners. */
export type SharedBackend = Pick<BackendProcess, 'url' | 'mailsTo' | 'chooserCode'>;

interface Fixtures {
  readonly backend: SharedBackend;
  /**
   * A file whose tests need no service worker sets the option `serviceWorkers` to `block`: its installation takes more than a
   * quarter of the processor time that a new device and its sign-up take.
   */
  readonly newDevice: () => Promise<Device>;
  /**
   * Whether a device has never loaded the app. Otherwise it may have the app's worker and code from an earlier test, and
   * nothing of an owner.
   */
  readonly isFirstVisit: boolean;
  /** The console errors that the test provokes; `test.use` sets the pattern. */
  readonly expectedErrors: RegExp;
}

/** The picture that the SDK requests from Google when its stream breaks. The content security policy blocks it. */
export const refusedProbe = /cleardot\.gif/;

/**
 * After a request without an answer the app probes, without its token, whether Firestore answers. If the connection is
 * back by then, the server refuses the probe. The app takes that as the answer, and the browser logs it.
 */
const refusedQuestion = /\/documents\/sync\/probe$/;

/** The worker's run of sync throws this on purpose, so that the browser wakes it again. */
const wakeAgain = /Uncaught: Error: Not everything was sent/;

/** A document without a link to its icon, in which a tab is emptied. */
const defaultIcon = /\/favicon\.ico$/;

/** An installation of the worker whose requests get no answer; the browser tries again. */
const cutInstallation = /Uncaught: TypeError: Failed to fetch/;

/** A worker that is stopped while it starts, when a profile is cleared after a short test. */
const stoppedWorker = /^Service worker went to a bad state unexpectedly\. $/;

/**
 * Console errors of the browser, not of the app. A request without an answer (offline, a killed server) is ignored; an
 * answer with an error fails the test unless its `expectedErrors` match.
 */
const ignoredLines = [
  refusedProbe,
  refusedQuestion,
  wakeAgain,
  cutInstallation,
  defaultIcon,
  stoppedWorker,
  /net::ERR_/,
];

/** Returns the message if it is an error that neither the browser nor the test explains. */
function problemIn(message: ConsoleMessage, expectedErrors: RegExp): string[] {
  const text = `${message.text()} ${message.location().url}`;
  const isIgnored = [...ignoredLines, expectedErrors].some((pattern) => pattern.test(text));
  return message.type() === 'error' && !isIgnored ? [text] : [];
}

/** Logs what a service worker does not catch, because Playwright reports only what the worker logs. */
function logUncaught(worker: Worker): void {
  const listen = worker.evaluate(() => {
    // oxlint-disable no-console
    addEventListener('error', ({ message }) => console.error(message));
    addEventListener('unhandledrejection', ({ reason }) => console.error(`Uncaught: ${reason}`));
    // oxlint-enable no-console
  });
  // A worker may end at any time.
  listen.catch(() => undefined);
}

interface WorkerFixtures {
  /** The server that starts with the first test of a Playwright worker that uses it. */
  readonly workerBackend: SharedBackend;
  /** The profiles with and those without a service worker. */
  readonly workerProfiles: Readonly<Record<'allow' | 'block', Profiles>>;
}

const deviceOptions = { locale: 'en-GB', viewport: oneColumn } as const;

/** Returns a fixture for a server with these options, which stops at the end of the fixture's scope. */
export function backendWith(options: Parameters<typeof startBackendProcess>[0]) {
  // Playwright requires the first argument to be a destructuring pattern, even an empty one.
  // oxlint-disable-next-line no-empty-pattern
  return async ({}, use: (backend: BackendProcess) => Promise<void>): Promise<void> => {
    const backend = await startBackendProcess(options);
    await use(backend);
    await backend.dispose();
  };
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  workerBackend: [backendWith({}), { scope: 'worker' }],
  workerProfiles: [
    async ({ browser, workerBackend: { url } }, use) => {
      const profilesWith = (serviceWorkers: 'allow' | 'block') =>
        createProfiles(browser, url, { ...deviceOptions, serviceWorkers });
      const profiles = { allow: profilesWith('allow'), block: profilesWith('block') };
      await use(profiles);
      await profiles.allow.dispose();
      await profiles.block.dispose();
    },
    { scope: 'worker' },
  ],
  backend: async ({ workerBackend }, use) => {
    await use(workerBackend);
  },
  isFirstVisit: [false, { option: true }],
  // The default matches nothing. It is no list, because Playwright takes a list of two for a value and its options.
  expectedErrors: [/(?!)/, { option: true }],
  newDevice: async (
    {
      browser,
      backend,
      workerBackend,
      workerProfiles,
      isFirstVisit,
      expectedErrors,
      serviceWorkers,
    },
    use,
    testInfo,
  ) => {
    const isCleared = backend === workerBackend && !isFirstVisit;
    const profiles = workerProfiles[serviceWorkers];
    const open = () =>
      isCleared
        ? profiles.take()
        : browser.newContext({ ...deviceOptions, baseURL: backend.url, serviceWorkers });
    const devices: { context: BrowserContext; unwatch: () => void }[] = [];
    const problems: string[] = [];
    const lines: string[] = [];
    await use(async () => {
      const context = await open();
      const note = (message: ConsoleMessage): void => {
        lines.push(`${new Date().toISOString()} device ${device}: ${message.text()}`);
        problems.push(...problemIn(message, expectedErrors));
      };
      const noteError = (event: WebError): void => {
        const { message } = event.error();
        if (!expectedErrors.test(message)) problems.push(message);
      };
      // The messages of all pages and of the service worker.
      context.on('console', note);
      context.on('weberror', noteError);
      context.on('serviceworker', logUncaught);
      const device = devices.push({
        context,
        unwatch: () => {
          context.off('console', note);
          context.off('weberror', noteError);
          context.off('serviceworker', logUncaught);
        },
      });
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
    for (const { context, unwatch } of devices) {
      await (isCleared ? profiles.giveBack(context) : context.close());
      unwatch();
    }
    expect(problems, 'errors in the console').toEqual([]);
  },
});

interface OwnBackend {
  readonly ownBackend: BackendProcess;
}

/** A test that kills or configures its server, which no other test uses. */
export const ownBackendTest = test.extend<OwnBackend>({
  ownBackend: backendWith({}),
  backend: async ({ ownBackend }, use) => {
    await use(ownBackend);
  },
});

export { expect };
