import type { BrowserContext, Page } from 'playwright';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock, type Clock } from '../../src/clock.ts';
import { launchChromium, writePage } from '../support/clients/chromium.ts';
import { bundleForBrowser } from '../support/clients/sdk-bundle.ts';
import { sharedFolder, startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openRules } from '../support/rules-fixture.ts';
import './page-window.ts';

const chromium = launchChromium();
const pages = bundleForBrowser('conformance').then(async (bundle) =>
  writePage(await folder, { 'start.js': bundle }),
);
const folder = sharedFolder();

async function setUp() {
  const options = {
    firestoreRules: openRules,
    staticDir: await pages,
    dataDir: await tempFolder(),
  };
  const backend = await startBackend(options);
  const profile = await (await chromium).newContext();
  onTestFinished(() => profile.close());
  const restart = (clock: Clock) => startBackend({ ...options, clock, port: backend.port });
  return { backend, profile, restart };
}

async function openTab(profile: BrowserContext, url: string, email = 'a@example.com') {
  const tab = await profile.newPage();
  await tab.goto(url);
  await tab.waitForFunction(() => 'conformance' in window);
  await tab.evaluate((address) => window.conformance.open(address, 'c'), email);
  return tab;
}

const shows = (tab: Page, text: string) =>
  tab.waitForFunction((wanted) => window.conformance.shown === wanted, text, {
    timeout: 45_000,
  });

const set = (tab: Page, id: string, n: number) =>
  tab.evaluate(
    ([name, value]) => {
      const { sdk, db } = window.conformance;
      void sdk.setDoc(sdk.doc(db(), 'c', name), { n: value });
    },
    [id, n] as const,
  );

const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ set: `c/d${at + 100}`, data: { n: 0 } }));
const shown = (ids: readonly number[]) => ids.map((id) => `d${id}0`).join(' ');

/** Records requests in the page, because the events of the browser do not always include the body. */
function noteRequests(): void {
  const fetchAsBefore = window.fetch.bind(window);
  window.asked = [];
  window.fetch = (input, init) => {
    if (input instanceof Request) window.asked.push(input.clone().text());
    return fetchAsBefore(input, init);
  };
}

/** A clock two days later, when the change log has evicted all earlier commits. */
const daysLater: Clock = { ...systemClock, now: () => Date.now() + 2 * 24 * 3_600_000 };

describe('a persistent cache', () => {
  it.each([
    ['and is told what changed and what was deleted', systemClock, false],
    ['and finds out what was deleted before the change log begins', daysLater, true],
  ])('resumes over reload and restart, %s', async (_how, clock, isSearching) => {
    const { backend, profile, restart } = await setUp();
    await backend.firestore.commit(many(50));
    const tab = await openTab(profile, backend.url);
    const all = Array.from({ length: 50 }, (_, at) => at + 100);
    await shows(tab, shown(all));
    await tab.close();
    await backend.firestore.commit([{ delete: 'c/d100' }, { set: 'c/d101', data: { n: 7 } }]);
    await backend.firestore.commit([{ set: 'c/new', data: { n: 1 } }]);
    await backend.stop();
    await restart(clock);

    const second = await profile.newPage();
    await second.addInitScript(noteRequests);
    await second.goto(backend.url);
    await second.waitForFunction(() => 'conformance' in window);
    await second.evaluate(() => window.conformance.open('a@example.com', 'c'));
    await shows(second, `d1017 ${shown(all.slice(2))} new1`);
    const bodies = await second.evaluate(() => Promise.all(window.asked));
    const asked = decodeURIComponent(bodies.join('&'));
    expect(asked).toContain('addTarget');
    // The client looks up only a document that the server did not report, and requests nothing else again.
    expect(asked.includes('"limbo-document"')).toBe(isSearching);
    expect(asked).not.toContain('existence-filter-mismatch');
  });

  it('keeps what was written offline over a reload, and sends it once', async () => {
    const { backend, profile } = await setUp();
    const tab = await openTab(profile, backend.url);
    await shows(tab, '');
    await tab.evaluate(() => window.conformance.sdk.disableNetwork(window.conformance.db()));
    await set(tab, 'a', 1);
    await shows(tab, 'a1 (cache)');
    await tab.close();
    expect(backend.firestore.get('c/a')).toBeNull();
    const second = await openTab(profile, backend.url);
    await shows(second, 'a1');
    await second.evaluate(() =>
      window.conformance.sdk.waitForPendingWrites(window.conformance.db()),
    );
    expect(backend.firestore.get('c/a')).toEqual({ n: 1 });
  });

  it('is shared by tabs, also when the one that holds the connection closes', async () => {
    const { backend, profile } = await setUp();
    const first = await openTab(profile, backend.url);
    await shows(first, '');
    const second = await openTab(profile, backend.url);
    await set(second, 'a', 1);
    await shows(first, 'a1');
    await first.close();
    await backend.firestore.commit([{ set: 'c/b', data: { n: 2 } }]);
    await shows(second, 'a1 b2');
    await set(second, 'c', 3);
    await shows(second, 'a1 b2 c3');
    await vi.waitFor(() => expect(backend.firestore.get('c/c')).toEqual({ n: 3 }), 15_000);
  });
});
