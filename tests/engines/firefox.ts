import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type Browser, type Page } from 'puppeteer-core';
import type { Engine, EngineDevice, EnginePage, Size } from './engine.ts';
import { pageScript } from './page-script.ts';

const preferences = (downloads: string) => ({
  // The microphone is one that plays a tone, and nobody has to be asked for it.
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'browser.download.folderList': 2,
  'browser.download.dir': downloads,
  'browser.download.always_ask_before_handling_new_types': false,
  'intl.accept_languages': 'en-GB',
});

function toEnginePage(page: Page): EnginePage {
  return {
    goto: async (url) => {
      await page.goto(url);
    },
    back: async () => {
      await page.goBack();
    },
    evaluate: async (work, ...args) => {
      const text = await page.evaluate(pageScript(work, args));
      return JSON.parse(String(text));
    },
    inject: async (script) => {
      await page.evaluate(`${script};null`);
    },
    // Two clicks that are sent one by one are no double click to Firefox, however quick.
    clickAt: (x, y, clicks = 1) => page.mouse.click(x, y, { count: clicks }),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    setFile: async (selector, path) => {
      const found = await page.$(selector);
      if (found === null) throw new Error(`There is no ${selector}`);
      const input = await found.toElement('input');
      await input.uploadFile(path);
    },
    show: () => page.bringToFront(),
    screenshot: () => page.screenshot(),
    close: () => page.close(),
  };
}

/** As Debian installs it. */
const executablePath = '/usr/bin/firefox-esr';

async function openDevice(): Promise<EngineDevice> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-firefox-'));
  const profile = join(folder, 'profile');
  const downloads = join(folder, 'downloads');
  await mkdir(profile);
  await mkdir(downloads);
  let size: Size = { width: 720, height: 720 };
  let browser: Browser | null = null;

  const start = async (): Promise<Browser> =>
    launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      userDataDir: profile,
      defaultViewport: null,
      args: ['--width=720', '--height=900'],
      extraPrefsFirefox: preferences(downloads),
      env: { ...process.env, HOME: folder, LANG: 'en_GB.UTF-8' },
    });

  const quit = async (): Promise<void> => {
    await browser?.close();
    browser = null;
  };

  return {
    downloads,
    newPage: async () => {
      const isFirst = browser === null;
      browser ??= await start();
      const [blank] = await browser.pages();
      const page = isFirst && blank !== undefined ? blank : await browser.newPage();
      await page.setViewport(size);
      return toEnginePage(page);
    },
    resize: async (wanted) => {
      size = wanted;
      for (const page of (await browser?.pages()) ?? []) await page.setViewport(size);
    },
    quit,
    forget: async () => {
      await quit();
      for (const name of ['storage', 'serviceworker.txt']) {
        await rm(join(profile, name), { recursive: true, force: true });
      }
    },
    dispose: async () => {
      await quit();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export function createFirefox(): Promise<Engine> {
  return Promise.resolve({
    name: 'firefox',
    newDevice: openDevice,
    close: () => Promise.resolve(),
  });
}
