import { chromium, type BrowserContext, type Locator, type Page } from 'playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendProcess } from '../support/servers/backend-process.ts';
import { requireSpeechTools, speakInto } from '../support/servers/speech-tools.ts';
import { browserArgs } from '../support/browser-args.ts';
import { backendWith, expect, test as base } from './fixtures.ts';
import { journal } from './owner.ts';

/** The words that these browsers' fake microphone plays each time it is opened. */
const spoken = 'yesterday we went away for two hours';

/** The part of them that a small recognizer recognizes every time. */
export const heard = /yesterday we went/;

interface VoiceWorker {
  /** The arguments of a browser whose fake microphone speaks. */
  readonly voiceArgs: readonly string[];
}

const listening = { speechEngine: 'pocketsphinx' };

/** A test with browsers whose fake microphone speaks, and a server that transcribes. */
export const test = base.extend<object, VoiceWorker>({
  voiceArgs: [
    // Playwright requires the first argument to be a destructuring pattern, even an empty one.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      requireSpeechTools();
      const folder = await mkdtemp(join(tmpdir(), 'pawpals-voice-'));
      const wav = join(folder, 'spoken.wav');
      await speakInto(wav, spoken);
      await use([
        ...browserArgs,
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-audio-capture=${wav}%noloop`,
      ]);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ voiceArgs }, use) => {
      await use({ executablePath: process.env['PAWPALS_BROWSER'] ?? '', args: [...voiceArgs] });
    },
    { scope: 'worker' },
  ],
  workerBackend: [backendWith(listening), { scope: 'worker' }],
});

/** The same for a test that kills its own server. */
export const ownBackendTest = test.extend<{ readonly ownBackend: BackendProcess }>({
  ownBackend: backendWith(listening),
  backend: async ({ ownBackend }, use) => {
    await use(ownBackend);
  },
});

export function recordButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Record', exact: true });
}

export function stopButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Stop', exact: true });
}

/** Waits until the page shows that many recorded seconds. */
export async function expectRecorded(page: Page, seconds: number): Promise<void> {
  const timer = page.getByRole('timer', { name: 'Recorded' });
  await expect
    .poll(async () => Number((await timer.textContent())?.split(':')[1] ?? -1))
    .toBeGreaterThanOrEqual(seconds);
}

/** Records a voice note by tapping start and stop. */
export async function record(page: Page, seconds: number): Promise<void> {
  await recordButton(page).click();
  await expectRecorded(page, seconds);
  await stopButton(page).click();
}

export function voiceNotes(page: Page): Locator {
  return journal(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('group', { name: 'Voice note' }) });
}

/** Expects that the note plays: the position moves, and all other buttons say Play. */
export async function expectPlays(page: Page, note: Locator): Promise<void> {
  const position = note.getByRole('slider', { name: 'Position' });
  const pause = note.getByRole('button', { name: 'Pause' });
  await expect(async () => {
    // An element that appears above may move the button away from the click.
    await note.getByRole('button', { name: 'Play' }).click({ timeout: 2_000 });
    await expect(pause).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(0.2);
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(1);
  // The lock screen and the keys of a headset use the media session.
  expect(
    await page.evaluate(() => {
      const { playbackState, metadata } = navigator.mediaSession;
      return [playbackState, metadata?.artist];
    }),
  ).toEqual(['playing', 'PawPals']);
  await pause.click();
}

/** Returns the SHA-256 of all recordings on this device, by their object names. */
export function soundsOnDevice(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const answerOf = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('not read')));
      });
    interface Row {
      readonly id: string;
      readonly kind: string;
      readonly bytes: ArrayBuffer;
    }
    const names = (await indexedDB.databases()).map(({ name = '' }) => name);
    const own = /^pawpals-[a-z0-9_]+-[a-z0-9]+$/;
    const database = await answerOf(indexedDB.open(names.find((name) => own.test(name)) ?? 'none'));
    const files = database.transaction('bytes').objectStore('bytes');
    const rows = await answerOf<Row[]>(files.getAll());
    database.close();
    const recordings = rows.filter(({ kind }) => kind === 'voice-note');
    const hashed = recordings.map(async ({ id: objectName, bytes }) => {
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const text = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return [objectName, text] as const;
    });
    return Object.fromEntries(await Promise.all(hashed));
  });
}

/** A browser whose profile survives its end, as on a phone. */
export interface LastingBrowser {
  open(): Promise<{ readonly context: BrowserContext; readonly page: Page }>;
  /** Kills the browser with SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
  dispose(): Promise<void>;
}

export async function createLastingBrowser(
  baseURL: string,
  args: readonly string[],
): Promise<LastingBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'pawpals-profile-'));
  let context: BrowserContext | null = null;
  return {
    open: async () => {
      context = await chromium.launchPersistentContext(profile, {
        executablePath: process.env['PAWPALS_BROWSER'] ?? '',
        args: [...args],
        baseURL,
        locale: 'en-GB',
      });
      return { context, page: context.pages()[0] ?? (await context.newPage()) };
    },
    kill: async () => {
      const browser = context?.browser();
      if (!context || !browser) throw new Error('no browser');
      const session = await browser.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const main = processInfo.find(({ type }) => type === 'browser');
      if (main === undefined) throw new Error('no process');
      const closed = new Promise<void>((resolve) => {
        context?.on('close', () => resolve());
      });
      process.kill(main.id, 'SIGKILL');
      await closed;
      context = null;
    },
    dispose: async () => {
      await context?.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
