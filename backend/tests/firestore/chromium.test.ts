import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { BackendOptions } from '../../src/server.ts';
import { launchChromium, openTab, writeSdkPage } from '../support/clients/chromium.ts';
import { bundleForBrowser, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { testPassword, newEmail } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { testTls } from '../support/servers/test-tls.ts';
import { tempFolder } from '../support/temp-folder.ts';

declare global {
  interface Window {
    sdk: BrowserSdk;
    state: {
      uid: string;
      seen: { head: unknown; atMs: number }[];
      setHead: (head: number) => Promise<void>;
    };
  }
}

const chromium = launchChromium();
let bundle: string;
beforeAll(async () => {
  bundle = await bundleForBrowser('sdk');
});

async function setUp(more: Partial<BackendOptions> = {}) {
  const folder = await tempFolder();
  const dist = await writeSdkPage(folder, bundle);
  const options = { dataDir: join(folder, 'data'), staticDir: dist, ...more };
  return { options, backend: await startBackend(options) };
}

/** Opens a page in its own browser profile, and records its requests and errors. */
async function openPage(port: number) {
  const page = await openTab(await chromium);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://localhost:${port}/pets/any/profile`);
  await page.waitForFunction(() => 'sdk' in window);
  return { page, requests, complaints };
}

/** Signs in on the origin of the page and listens to the user's sync document. */
const signInAndListen = (page: Page, email: string) =>
  page.evaluate(
    async ({ email: address, password }) => {
      const { sdk } = window;
      const app = sdk.initializeApp({ apiKey: 'key', projectId: 'demo-pawpals' });
      const auth = sdk.initializeAuth(app, { persistence: sdk.inMemoryPersistence });
      sdk.connectAuthEmulator(auth, location.origin, { disableWarnings: true });
      const signIn = await sdk
        .createUserWithEmailAndPassword(auth, address, password)
        .catch(() => sdk.signInWithEmailAndPassword(auth, address, password));
      const db = sdk.initializeFirestore(app, {
        host: location.host,
        ssl: location.protocol === 'https:',
      });
      const head = sdk.doc(db, 'sync', signIn.user.uid);
      const seen: { head: unknown; atMs: number }[] = [];
      window.state = {
        uid: signIn.user.uid,
        seen,
        setHead: (value) => sdk.setDoc(head, { head: value, epoch: 'e' }),
      };
      sdk.onSnapshot(head, { includeMetadataChanges: true }, (snapshot) => {
        const { fromCache, hasPendingWrites } = snapshot.metadata;
        if (fromCache || hasPendingWrites) return;
        seen.push({ head: snapshot.get('head') ?? null, atMs: Date.now() });
      });
      return signIn.user.uid;
    },
    { email, password: testPassword },
  );

const showsHead = (page: Page, head: number | null) =>
  page.waitForFunction((wanted) => window.state.seen.at(-1)?.head === wanted, head);

describe('in Chromium', () => {
  it('a page served by the backend signs in, writes and listens, under its security policy', async () => {
    const { backend } = await setUp();
    const { page, requests, complaints } = await openPage(backend.port);
    const uid = await signInAndListen(page, newEmail());
    await showsHead(page, null);
    await page.evaluate(() => window.state.setHead(1));
    await showsHead(page, 1);
    expect(backend.firestore.get(`sync/${uid}`)).toEqual({ head: 1, epoch: 'e' });
    const origins = new Set(requests.map((url) => new URL(url).origin));
    expect([...origins]).toEqual([`http://localhost:${backend.port}`]);
    const backChannels = requests.filter(
      (url) => url.includes('/Listen/') && url.includes('RID=rpc'),
    );
    expect(backChannels.map((url) => new URL(url).searchParams.get('CI'))).toEqual(['0']);
    expect(complaints).toEqual([]);
  });

  it('two devices of one owner see each other live, and after a restart of the server', async () => {
    const { options, backend } = await setUp();
    const email = newEmail();
    const first = await openPage(backend.port);
    const second = await openPage(backend.port);
    const uid = await signInAndListen(first.page, email);
    expect(await signInAndListen(second.page, email)).toBe(uid);
    await first.page.evaluate(() => window.state.setHead(1));
    await showsHead(second.page, 1);
    await second.page.evaluate(() => window.state.setHead(2));
    await showsHead(first.page, 2);

    await backend.stop();
    const restarted = await startBackend({ ...options, port: backend.port });
    await restarted.firestore.commit([{ set: `sync/${uid}`, data: { head: 3 } }]);
    await Promise.all([showsHead(first.page, 3), showsHead(second.page, 3)]);
    await first.page.evaluate(() => window.state.setHead(4));
    await showsHead(second.page, 4);
  });

  it('eight tabs of one profile listen and write at once over HTTP/2, where HTTP/1.1 has six connections', async () => {
    const { backend } = await setUp({ tls: await testTls() });
    const context = await (await chromium).newContext({ ignoreHTTPSErrors: true });
    onTestFinished(() => context.close());
    const email = newEmail();
    const open = async () => {
      const page = await context.newPage();
      await page.goto(backend.url);
      await page.waitForFunction(() => 'sdk' in window);
      await signInAndListen(page, email);
      return page;
    };
    const first = await open();
    const others = await Promise.all(Array.from({ length: 7 }, open));
    const pages = [first, ...others];
    for (const [at, page] of pages.entries()) {
      await page.evaluate((head) => window.state.setHead(head), at);
      await Promise.all(pages.map((each) => showsHead(each, at)));
    }
    expect(await backend.firestore.find({ collection: 'sync', limit: 2 })).toHaveLength(1);
  });
});
