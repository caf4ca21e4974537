import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Page,
} from 'playwright/test';
import { oneColumn } from '../support/browser-args.ts';

/** Browser profiles that the tests of a Playwright worker use one after the other. */
export interface Profiles {
  /** Returns a profile without data: a cleared one, which has the app's worker and its compiled code, or a new one. */
  take(): Promise<BrowserContext>;
  /** Closes the pages of a profile and removes its data. */
  giveBack(context: BrowserContext): Promise<void>;
  dispose(): Promise<void>;
}

interface Profile {
  readonly context: BrowserContext;
  /** The page that {@link clear} has left. It becomes the first page of the next test. */
  firstPage: Page | null;
  /** The sessions of the test. What they emulate ends with them. */
  readonly devTools: CDPSession[];
  /** Whether the test has added scripts, which cannot be removed. */
  hasScripts: boolean;
}

const ownersData = 'indexeddb,local_storage,cookies,file_systems';

/** A page that cannot be left within this time is closed. */
const leavingTimeoutMs = 10_000;

/** Removes everything from a page except its scripts and its process, which has compiled the app's code. */
export async function emptyPage(page: Page): Promise<void> {
  // The app is left first, so that it meets neither the server nor the network that the test kept from it.
  await page.goto('about:blank', { timeout: leavingTimeoutMs });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().setOffline(false);
  page.removeAllListeners('dialog');
  // A document without the app clears what the app has stored for this tab.
  await page.goto('/icon.svg');
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('about:blank');
  // Outside the page it is over no element of the next one.
  await page.mouse.move(-1, -1);
  await page.setViewportSize(oneColumn);
  await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
}

async function detachAll({ devTools }: Profile): Promise<void> {
  for (const session of devTools.splice(0)) await session.detach();
}

/** Removes everything from a profile except the app's worker and its code. */
async function clear(profile: Profile, origin: string): Promise<Page> {
  const { context } = profile;
  await detachAll(profile);
  const [page = await context.newPage(), ...others] = context.pages();
  for (const other of others) await other.close();
  await emptyPage(page);
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: ownersData });
  await session.send('Page.resetNavigationHistory');
  await detachAll(profile);
  return page;
}

/** Makes a profile note what the test does with it, and hand out its first page. */
function watch(profile: Profile): void {
  const { context } = profile;
  const noteScript = <Target extends object>(target: Target, method: keyof Target): void => {
    const original = target[method];
    if (typeof original !== 'function') throw new Error(`${String(method)} is no method`);
    target[method] = new Proxy(original, {
      apply: (...call): unknown => {
        profile.hasScripts = true;
        return Reflect.apply(...call);
      },
    });
  };
  noteScript(context, 'addInitScript');
  noteScript(context.clock, 'install');
  context.on('page', (page) => noteScript(page, 'addInitScript'));
  const openSession = context.newCDPSession.bind(context);
  context.newCDPSession = async (page) => {
    const session = await openSession(page);
    profile.devTools.push(session);
    return session;
  };
  const openPage = context.newPage.bind(context);
  context.newPage = () => {
    const page = profile.firstPage;
    profile.firstPage = null;
    return page === null ? openPage() : Promise.resolve(page);
  };
}

/** Returns the profiles of the tests that open the app at that origin. */
export function createProfiles(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Profiles {
  const profiles = new Map<BrowserContext, Profile>();
  const cleared: Profile[] = [];
  const open = async (): Promise<Profile> => {
    const context = await browser.newContext({ ...options, baseURL: origin });
    const profile: Profile = { context, firstPage: null, devTools: [], hasScripts: false };
    profiles.set(context, profile);
    watch(profile);
    return profile;
  };
  return {
    take: async () => (cleared.pop() ?? (await open())).context,
    async giveBack(context) {
      const profile = profiles.get(context);
      if (profile === undefined || profile.hasScripts) return context.close();
      try {
        profile.firstPage = await clear(profile, origin);
        cleared.push(profile);
      } catch {
        // A page that has crashed cannot be used again.
        await context.close();
      }
    },
    async dispose() {
      for (const { context } of cleared.splice(0)) await context.close();
    },
  };
}
