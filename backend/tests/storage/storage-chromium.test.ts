import type { Page } from 'playwright';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { launchChromium, openTab, writeSdkPage } from '../support/clients/chromium.ts';
import { bundleForBrowser, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { testPassword, newEmail } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { md5, noise } from '../support/clients/storage-user.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The time limits allow for a busy machine; the tests themselves wait for conditions. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

type StorageReference = ReturnType<BrowserSdk['ref']>;

declare global {
  interface Window {
    upload: {
      readonly file: (name: string) => StorageReference;
      task?: ReturnType<BrowserSdk['uploadBytesResumable']>;
    };
  }
}

const chromium = launchChromium();
let bundle: string;
beforeAll(async () => {
  bundle = await bundleForBrowser('sdk');
});

async function openSdkPage(port: number): Promise<Page> {
  const page = await openTab(await chromium);
  await page.goto(`http://localhost:${port}/`);
  await page.waitForFunction(() => 'sdk' in window);
  return page;
}

const fileBytes = 12_000_000;

/** Signs in, makes a pet through Firestore's REST, and keeps a way to name its files. */
const signIn = (page: Page): Promise<string> =>
  page.evaluate(
    async ({ email, password }) => {
      const { sdk } = window;
      const config = { apiKey: 'key', projectId: 'demo-pawpals' };
      const app = sdk.initializeApp({ ...config, storageBucket: 'demo-pawpals.appspot.com' });
      const auth = sdk.initializeAuth(app, { persistence: sdk.inMemoryPersistence });
      sdk.connectAuthEmulator(auth, location.origin, { disableWarnings: true });
      const { user } = await sdk.createUserWithEmailAndPassword(auth, email, password);
      const document = '/v1/projects/demo-pawpals/databases/(default)/documents';
      const pet = {
        name: `${document.slice('/v1/'.length)}/pets/rex`,
        fields: { ownerId: { stringValue: user.uid } },
      };
      await fetch(`${document}:commit`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${await user.getIdToken()}` },
        body: JSON.stringify({ writes: [{ update: pet }] }),
      });
      const storage = sdk.getStorage(app);
      sdk.connectStorageEmulator(storage, location.hostname, Number(location.port));
      window.upload = { file: (name) => sdk.ref(storage, `pets/rex/${name}`) };
      return user.uid;
    },
    { email: newEmail(), password: testPassword },
  );

/** Starts an upload of the bytes of `noise` and pauses it; resolves to the number of acknowledged bytes. */
const startAndPause = (page: Page): Promise<number> =>
  page.evaluate(async (size) => {
    const { sdk, upload } = window;
    const bytes = new Uint8Array(size);
    for (let at = 0, state = 1; at < size; at++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      bytes[at] = state & 0xff;
    }
    const blob = new Blob([bytes], { type: 'audio/webm' });
    const task = sdk.uploadBytesResumable(upload.file('audios/big.webm'), blob);
    upload.task = task;
    return new Promise<number>((resolve, reject) => {
      const stop = task.on(
        'state_changed',
        ({ bytesTransferred, state }) => {
          if (state === 'running' && bytesTransferred > 1_000_000) task.pause();
          if (state !== 'paused') return;
          stop();
          resolve(bytesTransferred);
        },
        reject,
      );
    });
  }, fileBytes);

const resumeToEnd = (page: Page) =>
  page.evaluate(async () => {
    const { upload } = window;
    upload.task?.resume();
    const done = await upload.task;
    return { md5Hash: done?.metadata.md5Hash, contentType: done?.metadata.contentType };
  });

describe('in Chromium', () => {
  it('an upload is paused, the server killed and started again, and the upload resumed', async () => {
    const folder = await tempFolder();
    const dist = await writeSdkPage(folder, bundle);
    const flags = ['--data', `${folder}/data`, '--static', dist];
    const server = spawnBackend(['--port', '0', ...flags]);
    const port = await server.port;
    const page = await openSdkPage(port);
    await signIn(page);
    const paused = await startAndPause(page);
    expect(paused).toBeLessThan(fileBytes);
    server.child.kill('SIGKILL');
    await server.exit;
    await spawnBackend(['--port', String(port), ...flags]).port;
    expect(await resumeToEnd(page)).toEqual({
      md5Hash: md5(noise(fileBytes)),
      contentType: 'audio/webm',
    });
  });

  it('a page that a user uploaded runs no script, and a script is not loaded', async () => {
    const folder = await tempFolder();
    const dist = await writeSdkPage(folder, bundle);
    const backend = await startBackend({ dataDir: `${folder}/data`, staticDir: dist });
    const page = await openSdkPage(backend.port);
    await signIn(page);
    const urlOf = (name: string, text: string, contentType: string) =>
      page.evaluate(
        async (file) => {
          const { sdk, upload } = window;
          const { contentType: type } = file;
          await sdk.uploadString(upload.file(file.name), file.text, 'raw', { contentType: type });
          return sdk.getDownloadURL(upload.file(file.name));
        },
        { name, text, contentType },
      );
    const code = 'document.title = "owned"';
    const script = await urlOf('a.js', code, 'text/javascript');
    const isLoaded = await page.evaluate(
      (src) =>
        new Promise<boolean>((resolve) => {
          const element = Object.assign(document.createElement('script'), { src });
          element.addEventListener('load', () => resolve(true));
          element.addEventListener('error', () => resolve(false));
          document.head.append(element);
        }),
      script,
    );
    expect(isLoaded).toBe(false);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>${code}</script></svg>`;
    const html = `<title>quiet</title><p>text</p><script>${code}</script>`;
    const urls = [await urlOf('a.svg', svg, 'image/svg+xml'), await urlOf('a', html, 'text/html')];
    for (const url of urls) {
      await page.goto(url);
      expect(await page.title()).not.toBe('owned');
      expect(await page.evaluate(() => window.origin)).toBe('null');
    }
    expect(await page.textContent('p')).toBe('text');
  });

  it('audio plays and seeks by its download URL', async () => {
    const folder = await tempFolder();
    const dist = await writeSdkPage(folder, bundle);
    const backend = await startBackend({ dataDir: `${folder}/data`, staticDir: dist });
    const page = await openSdkPage(backend.port);
    await signIn(page);
    const ranges: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'media') ranges.push(request.headers()['range']);
    });
    await backend.storage.put('pets/rex/a.wav', silence(120), { contentType: 'audio/wav' });
    const seen = await page.evaluate(async () => {
      const { sdk, upload } = window;
      const audio = new Audio(await sdk.getDownloadURL(upload.file('a.wav')));
      const once = (name: string) =>
        new Promise((resolve, reject) => {
          audio.addEventListener(name, resolve, { once: true });
          audio.addEventListener('error', () => reject(new Error('The audio failed.')));
        });
      await once('loadedmetadata');
      const seeked = once('seeked');
      audio.currentTime = 100;
      await seeked;
      return { duration: audio.duration, currentTime: audio.currentTime };
    });
    expect(seen).toEqual({ duration: 120, currentTime: 100 });
    expect(ranges.length).toBeGreaterThan(0);
  });
});

/** Creates a WAV file of silence, with 16,000 bytes per second. */
function silence(seconds: number): Uint8Array {
  const data = 16_000 * seconds;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data, 40);
  return Buffer.concat([header, Buffer.alloc(data)]);
}
