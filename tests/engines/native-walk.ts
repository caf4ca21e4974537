import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildNative } from '../support/built-app/hosted-build.ts';
import { fileBytes, nativeSideScript } from '../support/fakes/native-side.ts';
import { wrapperOrigin, type EngineDevice } from './engine.ts';
import { handsOn, type Hands } from './hands.ts';
import { button, dialog, heading, link } from './look.ts';
import {
  addPet,
  expectSynced,
  newEmail,
  notes,
  openPet,
  register,
  voiceNote,
  writeNote,
} from './owner.ts';
import { recordingsOn } from './stored.ts';
import { until } from './until.ts';
import type { Step, Walk, WalkStage } from './walk.ts';

interface Shared {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The file that the share sheet got last. */
async function sharedFrom({ page }: Hands): Promise<Shared> {
  const { name, pieces } = await page.evaluate(() => {
    const shared = window.nativeSide.calls.filter((call) => call.name === 'Share.share').at(-1);
    const [uri] = Array.isArray(shared?.options['files']) ? shared.options['files'] : [];
    return {
      name: String(shared?.options['title']),
      pieces: window.nativeSide.file(String(uri)) ?? [],
    };
  });
  return { name, bytes: fileBytes(pieces) };
}

/**
 * The app in the native wrapper of iOS, whose engine is WebKit: the build for it, under the scheme that it has there, and
 * Capacitor's own script for the page, with a native side that the test plays. No steps where the engine cannot be wrapped.
 */
export function createNativeWalk({ engine, relay }: WalkStage): Walk {
  const devices: EngineDevice[] = [];
  const open: Hands[] = [];
  let a: Hands;
  let exported = '';

  let folder = '';

  /** As for a hosted project, which the embedded server plays. */
  const buildFor = (server: string) =>
    buildNative(join(folder, 'pages'), {
      VITE_FIREBASE_API_KEY: 'embedded',
      VITE_FIREBASE_PROJECT_ID: 'demo-pawpals',
      VITE_FIREBASE_SERVER_ORIGIN: server,
      VITE_APP_ORIGIN: server,
    });

  const openWrapper = async (path: string): Promise<Hands> => {
    if (engine.newWrapper === undefined) throw new Error(`${engine.name} cannot be wrapped`);
    const device = await engine.newWrapper({
      pages: join(folder, 'pages'),
      startScript: await nativeSideScript({ answers: {}, system: 'ios' }),
    });
    devices.push(device);
    const hands = handsOn(await device.newPage());
    open.push(hands);
    await hands.page.goto(wrapperOrigin + path);
    return hands;
  };

  const steps: Step[] = [];
  const step = (name: string, run: () => Promise<void>): void => {
    if (engine.newWrapper !== undefined) steps.push({ name: `in the wrapper, ${name}`, run });
  };

  step('the app is built, and opens', async () => {
    folder = await mkdtemp(join(tmpdir(), 'pawpals-wrapper-'));
    await buildFor(relay.url);
    a = await openWrapper('/');
    await a.sees(heading('Sign in'));
  });

  step('a recording goes to the share sheet', async () => {
    await a.click(link('Sign up'));
    await register(a, newEmail());
    await addPet(a, 'Bramble');
    await writeNote(a, 'from the wrapper');
    await a.click(button('Record'));
    await until('a second of recording', async () => {
      const { text } = await a.sees({ css: '[role=timer]' });
      return Number(text.split(':')[1]) >= 1 ? true : null;
    });
    await a.click(button('Stop'));
    await a.sees(voiceNote);
    await expectSynced(a);
    await a.click({ ...notes, text: 'Voice note' });
    await a.click(button('Save the recording'));
    await a.sees({ css: '[role=status]', text: 'Shared.' });
    const { name, bytes } = await sharedFrom(a);
    const [recorded] = await recordingsOn(a.page);
    assert.match(name, /[.]m4a$|[.]mp4$/);
    assert.match(recorded?.contentType ?? '', /^audio\/mp4/);
    assert.equal(bytes.toString('latin1', 4, 8), 'ftyp');
  });

  step('an export goes to the share sheet', async () => {
    await a.page.goto(`${wrapperOrigin}/settings`);
    await a.click(button('Export'));
    await a.sees({ css: 'main', text: '1 dog, 1 note and 1 voice note. It is shared as' });
    const { name, bytes } = await sharedFrom(a);
    assert.match(name, /^pawpals-[\d-]+\.zip$/);
    exported = join(folder, name);
    await writeFile(exported, bytes);
  });

  step('a sheet that is closed is no failure', async () => {
    await a.page.evaluate(() => {
      window.nativeSide.answer('Share.share', { refusal: 'Share canceled' });
    });
    await a.click(button('Save again'));
    await a.sees(button('Save the file'));
    await a.seesNo({ css: '[role=alert]' });
    assert.equal((await sharedFrom(a)).bytes.length, 0);
  });

  step('a link of the system opens its page', async () => {
    await a.page.evaluate(() => {
      window.nativeSide.emit('App.appUrlOpen', { url: 'https://pawpals.example/help' });
    });
    await a.sees(heading('Help & Support'));
  });

  step('another owner imports the export', async () => {
    const b = await openWrapper('/auth/register');
    await register(b, newEmail());
    await b.page.goto(`${wrapperOrigin}/settings`);
    await b.sees(heading('Your data'));
    await b.page.setFile('input[type=file]', exported);
    await b.click({ ...button('Import'), within: dialog });
    await b.sees({ css: 'main', text: 'Imported: 1 dog, 1 note and 1 voice note' });
    await b.page.goto(`${wrapperOrigin}/pets`);
    await b.sees(link('.*Bramble.*'));
    await openPet(b, 'Bramble');
    await b.sees({ ...notes, text: 'from the wrapper' });
    await b.sees(voiceNote);
  });

  return {
    steps,
    pages: () => open.map(({ page }) => page),
    dispose: async () => {
      for (const device of devices) await device.dispose();
      if (folder !== '') await rm(folder, { recursive: true, force: true });
    },
  };
}
