import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppCopy } from '../support/servers/app-copy.ts';
import { greyJpeg } from '../support/fixtures/made-pictures.ts';
import { storedOfOwner } from '../support/stored-of-owner.ts';
import type { Engine, EngineDevice, EnginePage } from './engine.ts';
import { handsOn, type Hands } from './hands.ts';
import { box, button, dialog, heading, link } from './look.ts';
import {
  addPet,
  composer,
  expectStatus,
  expectSynced,
  newEmail,
  notes,
  openPet,
  register,
  signIn,
  signOut,
  voiceNote,
  waitForOfflineReady,
  writeNote,
} from './owner.ts';
import { enlargeText, expectNoFaults, expectToFit, recordButton } from './looks.ts';
import { positionsOfPlay, watchPositions } from './positions.ts';
import type { Relay } from './relay.ts';
import { readWithoutEnd, recordingsOn } from './stored.ts';
import { until } from './until.ts';

export interface WalkStage {
  readonly engine: Engine;
  readonly relay: Relay;
  /** The app that the server serves. */
  readonly app: AppCopy;
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface Walk {
  readonly steps: readonly Step[];
  /** The open pages of all devices. */
  pages(): readonly EnginePage[];
  dispose(): Promise<void>;
}

const recordedS = 3;
const unheard = { contentType: '', seconds: 0, level: 0 };
const recovered = { css: '[aria-label="Recovered recordings"]' };
/** The text of a voice note without words. */
const spoken = 'Voice note, 0:[01][0-9] This server makes no texts of recordings.';

export function createWalk({ engine, relay, app }: WalkStage): Walk {
  const devices: EngineDevice[] = [];
  const open = new Map<EngineDevice, Hands[]>();
  const email = newEmail();
  const otherEmail = newEmail();
  let phone: EngineDevice;
  let tablet: EngineDevice;
  let a: Hands;
  let b: Hands;
  let profile = '';
  let exported = '';

  const newDevice = async (): Promise<EngineDevice> => {
    const device = await engine.newDevice();
    devices.push(device);
    return device;
  };
  const openTab = async (device: EngineDevice, path: string): Promise<Hands> => {
    const hands = handsOn(await device.newPage());
    open.set(device, [...(open.get(device) ?? []), hands]);
    await hands.page.goto(relay.url + path);
    return hands;
  };
  const restart = async (device: EngineDevice, path: string): Promise<Hands> => {
    await device.quit();
    open.delete(device);
    return openTab(device, path);
  };
  const pathOf = ({ page }: Hands) => page.evaluate(() => location.pathname);
  const texts = ['note 1', 'note 2', 'offline 1', 'offline 2', 'offline 3'];

  const steps: Step[] = [];
  const step = (name: string, run: () => Promise<void>): void => {
    steps.push({ name, run });
  };

  step('a new owner registers and adds a dog', async () => {
    phone = await newDevice();
    a = await openTab(phone, '/auth/register');
    await register(a, email);
    await addPet(a, 'Bramble');
    profile = await pathOf(a);
  });

  step('notes are synced', async () => {
    for (const text of texts.slice(0, 2)) await writeNote(a, text);
    await expectSynced(a);
    await waitForOfflineReady(a);
  });

  step('offline: a note is kept, and said to wait', async () => {
    await relay.cut();
    await a.sees(composer);
    await writeNote(a, 'offline 1');
    await expectStatus(a, 'Offline, 1 waiting');
  });

  step('offline: a reload shows all of it', async () => {
    await a.page.goto(relay.url + profile);
    await a.seesTexts(notes, texts.slice(0, 3));
    await writeNote(a, 'offline 2');
  });

  step('offline: the browser ends and starts, and shows all of it', async () => {
    a = await restart(phone, profile);
    await a.seesTexts(notes, texts.slice(0, 4));
    await writeNote(a, 'offline 3');
    await expectStatus(a, 'Offline, 3 waiting');
  });

  step('back online: all of it is synced', async () => {
    await relay.mend();
    await expectSynced(a);
  });

  step('a second device shows each note once, and writes one', async () => {
    tablet = await newDevice();
    b = await openTab(tablet, '/auth/login');
    await signIn(b, email);
    await openPet(b, 'Bramble');
    await b.seesTexts(notes, texts);
    await writeNote(b, 'from the tablet');
    await a.seesTexts(notes, [...texts, 'from the tablet']);
  });

  /** @returns the positions that were shown from the start of the voice note to its end, 0 to 1. */
  const play = async (hands: Hands): Promise<readonly number[]> => {
    await watchPositions(hands.page, voiceNote.css);
    await hands.click({ ...button('Play'), within: voiceNote });
    return until('the end of the voice note', () => positionsOfPlay(hands.page, voiceNote.css));
  };

  const expectPlays = async (hands: Hands): Promise<void> => {
    const latest = Math.max(...(await play(hands)));
    assert.ok(latest > 0.1, `it came to ${String(latest)} of it`);
  };

  const startRecording = async (hands: Hands): Promise<void> => {
    await hands.click(button('Record'));
    await until('some seconds of recording', async () => {
      const { text } = await hands.sees({ css: '[role=timer]' });
      return Number(text.split(':')[1]) >= recordedS ? true : null;
    });
  };

  let longestS = 0;
  step('a voice note is recorded and plays', async () => {
    const startedMs = performance.now();
    await startRecording(a);
    await a.click(button('Stop'));
    longestS = (performance.now() - startedMs) / 1_000;
    await a.sees(voiceNote);
    await expectSynced(a);
    await a.seesTexts(notes, [...texts, 'from the tablet', spoken]);
    await expectPlays(a);
  });

  step('it plays on the second device, as long and as loud', async () => {
    await b.seesTexts(notes, [...texts, 'from the tablet', spoken]);
    await expectPlays(b);
    const recorded = await recordingsOn(a.page);
    assert.equal(recorded.length, 1);
    const [{ contentType, seconds, level } = unheard] = recorded;
    assert.match(contentType, engine.name === 'webkit' ? /^audio\/mp4/ : /^audio\/webm/);
    assert.ok(seconds > recordedS - 1.5 && seconds < longestS, `it is ${String(seconds)} s long`);
    assert.ok(level > 0.01, `its level is ${String(level)}`);
    assert.deepEqual(await recordingsOn(b.page), recorded);
  });

  step('it is played from its middle', async () => {
    await a.click({ css: 'input[type=range]', within: voiceNote });
    const [first = 0] = await play(a);
    assert.ok(first > 0.4 && first < 0.6, `it was at ${String(first)} of it`);
  });

  const expectPicture = async ({ page }: Hands): Promise<void> => {
    await until('a grey picture in the heading', () =>
      page.evaluate(() => {
        const header = document.querySelector('main h1')?.parentElement?.parentElement;
        const image = header?.querySelector('img');
        if (!image?.complete || image.naturalWidth === 0) return null;
        const canvas = document.createElement('canvas');
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0, 1, 1);
        const [red = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
        return Math.abs(red - 128) < 8 ? true : null;
      }),
    );
  };

  step('a picture is chosen, and shows on the second device', async () => {
    const file = join(phone.downloads, 'bramble.jpg');
    await writeFile(file, greyJpeg(400, 300));
    await a.click(link('Actions'));
    await a.click(link('Change Profile Picture'));
    await a.sees(button('Choose a picture'));
    await a.page.setFile('input[type=file]', file);
    await a.click(button('Save picture'));
    await a.sees(composer);
    for (const hands of [a, b]) await expectPicture(hands);
    await expectSynced(a);
  });

  const openSettings = async (hands: Hands): Promise<void> => {
    await hands.page.goto(`${relay.url}/settings`);
    await hands.sees(heading('Your data'));
  };

  step('all of it is exported as a file', async () => {
    await openSettings(a);
    await a.click(button('Export'));
    await a.sees({ css: 'main', text: 'Your export is ready: 1 dog, 6 notes and 1 voice note' });
    exported = await until('the file', async () => {
      const names = await readdir(phone.downloads);
      const name = names.find((each) => /^pawpals-[\d-]+\.zip$/.test(each));
      const isWhole = name !== undefined && !names.some((each) => each.endsWith('.part'));
      return isWhole ? join(phone.downloads, name) : null;
    });
  });

  step('settings tell what the browser does with the storage', async () => {
    await a.click({ css: 'summary', text: 'Storage on this device' });
    const told = { css: 'details[open]' };
    // WebKitGTK has no `navigator.storage`; Safari, whose name it uses, clears what is not visited.
    const isWebKit = engine.name === 'webkit';
    await a.sees({
      ...told,
      text: isWebKit ? 'does not say whether it may clear it' : 'Your browser',
    });
    if (isWebKit) await a.sees({ ...told, text: 'After seven days without a visit' });
    else await a.seesNo({ ...told, text: 'seven days' });
  });

  step(
    'axe finds no fault, and nothing is out of reach at 320 px or with letters twice as large',
    async () => {
      await expectNoFaults(a);
      await a.page.goto(relay.url + profile);
      await a.seesTexts(notes, [...texts, 'from the tablet', spoken]);
      await expectNoFaults(a);
      await phone.resize({ width: 320, height: 640 });
      await expectToFit(a, recordButton);
      await phone.resize({ width: 390, height: 844 });
      await enlargeText(a, 200);
      await expectToFit(a, recordButton);
      await enlargeText(a, 100);
      await phone.resize({ width: 720, height: 900 });
    },
  );

  step('sign-out leaves nothing on the second device', async () => {
    await b.page.goto(`${relay.url}/pets`);
    await signOut(b);
    await until('nothing stored', async () =>
      (await storedOfOwner(b.page)).length === 0 ? true : null,
    );
  });

  step('another owner imports the file there, and has all of it', async () => {
    await b.page.goto(`${relay.url}/auth/register`);
    await register(b, otherEmail);
    await openSettings(b);
    await b.page.setFile('input[type=file]', exported);
    await b.click({ ...button('Import'), within: dialog });
    await b.sees({ css: 'main', text: 'Imported: 1 dog, 6 notes and 1 voice note' });
    await b.page.goto(`${relay.url}/pets`);
    await openPet(b, 'Bramble');
    await expectPicture(b);
    await b.seesTexts(notes, [...texts, 'from the tablet', spoken]);
    await expectPlays(b);
  });

  step('what the browser has cleared is fetched again after a sign-in', async () => {
    await expectSynced(b);
    await tablet.forget();
    open.delete(tablet);
    b = await openTab(tablet, '/');
    await b.sees(heading('Sign in'));
    await signIn(b, otherEmail);
    await openPet(b, 'Bramble');
    await b.seesTexts(notes, [...texts, 'from the tablet', spoken]);
  });

  let second: Hands;
  step('two tabs show what each of them writes', async () => {
    await a.page.goto(relay.url + profile);
    second = await openTab(phone, profile);
    await a.page.show();
    await writeNote(a, 'first tab');
    await second.page.show();
    await second.sees({ ...notes, text: 'first tab' });
    await writeNote(second, 'second tab');
    await a.page.show();
    await a.sees({ ...notes, text: 'second tab' });
    await expectSynced(a);
  });

  step(
    'a page left in the middle of a transaction holds up no tab, and comes back up to date',
    async () => {
      await readWithoutEnd(a.page);
      await a.page.goto(`${relay.url}/privacy`);
      await second.page.show();
      await writeNote(second, 'meanwhile');
      await expectSynced(second);
      await a.page.show();
      await a.page.back();
      await a.sees({ ...notes, text: 'meanwhile' });
      await expectSynced(a);
    },
  );

  step('what was recorded or typed outlives a page that is left in the middle', async () => {
    await startRecording(a);
    await a.page.goto(`${relay.url}/privacy`);
    await second.page.show();
    await second.page.goto(relay.url + profile);
    await second.click({ ...button('Keep recording, .*'), within: recovered });
    await second.seesTexts(voiceNote, ['.*', '.*']);
    await a.page.show();
    await a.page.back();
    await a.fill(composer, 'half a thought');
    await a.page.goto(`${relay.url}/privacy`);
    await a.page.back();
    await until('the draft', async () =>
      (await a.sees(composer)).value === 'half a thought' ? true : null,
    );
    await writeNote(a, 'a whole thought');
    await expectSynced(a);
  });

  step('a new version waits for the owner, and then both tabs have it', async () => {
    await app.release('next');
    await a.page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update();
    });
    await a.click(button('Update'));
    for (const hands of [a, second]) await hands.sees({ css: 'html[data-version="next"] body' });
    await a.sees(composer);
  });

  step('sign-out leaves nothing, in whichever tab', async () => {
    await a.page.goto(`${relay.url}/pets`);
    await signOut(a);
    await second.sees(heading('Sign in'));
    await until('nothing stored', async () =>
      (await storedOfOwner(a.page)).length === 0 ? true : null,
    );
    assert.equal((await a.all(box('Email')))[0]?.value, '');
  });

  return {
    steps,
    pages: () => [...open.values()].flat().map(({ page }) => page),
    dispose: async () => {
      for (const device of devices) await device.dispose();
    },
  };
}
