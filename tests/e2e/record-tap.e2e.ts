import type { CDPSession, Page } from 'playwright/test';
import { browserArgs } from '../support/browser-args.ts';
import { neverIdle } from '../support/setups/never-idle.ts';
import { expect, test, type Device } from './fixtures.ts';
import { composer, journal, openSyncedPet, openWithPet, settle } from './owner.ts';

test.use({
  launchOptions: {
    executablePath: process.env['PAWPALS_BROWSER'] ?? '',
    args: [...browserArgs, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  },
});

const tapMs = 60;

interface Point {
  readonly x: number;
  readonly y: number;
}

async function centreOfRecord(page: Page): Promise<Point> {
  const box = await page.getByRole('button', { name: 'Record', exact: true }).boundingBox();
  if (box === null) throw new Error('no button');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Taps the button. @param duringTap runs between the start and the end of the touch. */
async function tapRecord(page: Page, touch: CDPSession, duringTap: () => Promise<unknown>) {
  const point = await centreOfRecord(page);
  const timestamp = Date.now() / 1_000;
  await touch.send('Input.dispatchTouchEvent', {
    type: 'touchStart',
    touchPoints: [point],
    timestamp,
  });
  await duringTap();
  await touch.send('Input.dispatchTouchEvent', {
    type: 'touchEnd',
    touchPoints: [],
    timestamp: timestamp + tapMs / 1_000,
  });
}

/** Opens the journal of a dog, with a session that sends touches to its page. */
async function openTouched(device: Device) {
  const page = await openSyncedPet(device);
  const touch = await device.context.newCDPSession(page);
  return { page, touch, timer: page.getByRole('timer', { name: 'Recorded' }) };
}

async function expectRecords(page: Page): Promise<void> {
  await expect(page.getByRole('timer', { name: 'Recorded' })).toHaveText('0:01');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Dismiss notification' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
}

test('a tap on the microphone records, however early it is and however late the code is loaded', async ({
  newDevice,
}) => {
  const { page, touch, timer } = await openTouched(await newDevice());

  await page.addInitScript(neverIdle);
  // The recorder's code is loaded and records before the finger is lifted.
  await page.reload();
  await tapRecord(page, touch, () => timer.waitFor());
  await expectRecords(page);

  // On a slow phone, the tap comes as soon as the button is visible.
  await page.reload({ waitUntil: 'commit' });
  await touch.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await tapRecord(page, touch, () => Promise.resolve());
  await expectRecords(page);
  await touch.send('Emulation.setCPUThrottlingRate', { rate: 1 });

  // With a mouse, the click comes after a navigation from another page.
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('link', { name: /Bramble/ }).click();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expectRecords(page);
});

test('a finger that holds the microphone and slides to the left cancels, and a release elsewhere stops', async ({
  newDevice,
}) => {
  const { page, touch, timer } = await openTouched(await newDevice());
  const record = page.getByRole('button', { name: 'Record', exact: true });
  const { x, y } = await centreOfRecord(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints });

  await send('touchStart', [{ x, y }]);
  await expect(timer).toHaveText('0:01');
  await expect(page.getByText('Slide to cancel')).toBeVisible();
  for (const way of [50, 100]) await send('touchMove', [{ x: x - way, y }]);
  await expect(page.getByText('Release to cancel')).toBeVisible();
  await send('touchEnd', []);
  await expect(timer).toBeHidden();
  await expect(record).toBeVisible();

  await send('touchStart', [{ x, y }]);
  await expect(timer).toHaveText('0:01');
  await send('touchMove', [{ x, y: y - 120 }]);
  await send('touchEnd', []);
  await expect(timer).toBeHidden();
  await expect(journal(page).getByRole('button', { name: /^Play/ })).toBeVisible();
});

test('with large text the composer shows its whole placeholder, and the time beside Stop', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await expect
    .poll(() =>
      composer(page).evaluate((box) => {
        if (!(box instanceof HTMLTextAreaElement)) throw new Error('no box');
        const style = getComputedStyle(box);
        const pen = document.createElement('canvas').getContext('2d');
        if (pen === null) throw new Error('no canvas');
        pen.font = style.font;
        const room =
          box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        return room - pen.measureText(box.placeholder).width;
      }),
    )
    .toBeGreaterThanOrEqual(0);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  const timer = page.getByRole('timer', { name: 'Recorded' });
  await expect(timer).toHaveText('0:01');
  const time = await timer.boundingBox();
  const stop = await page.getByRole('button', { name: 'Stop', exact: true }).boundingBox();
  expect((time?.x ?? 0) + (time?.width ?? 0)).toBeLessThanOrEqual(stop?.x ?? 0);
});

test('by keyboard: while it records, only the controls of the recording have the focus', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await page.getByRole('button', { name: 'Record', exact: true }).press('Enter');
  await expect(page.getByRole('timer', { name: 'Recorded' })).toHaveText('0:01');
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeFocused();
  // The bar of the recording covers the box and its button.
  await expect(composer(page)).toBeHidden();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.locator('.composer :focus')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeVisible();
});

/** The page resumes after it was frozen: it reads everything again, with another composer. @param closing runs meanwhile. */
async function resume(page: Page, closing?: () => Promise<void>): Promise<void> {
  const element = await composer(page).elementHandle();
  await page.evaluate(() => document.dispatchEvent(new Event('resume')));
  await expect.poll(() => element?.evaluate((node) => node.isConnected)).toBe(false);
  await closing?.();
  await expect(composer(page)).toBeVisible();
}

test('a discarded recording is kept by Undo after the page was frozen, and blocks no update', async ({
  newDevice,
}) => {
  const page = await openSyncedPet(await newDevice());
  const discard = async () => {
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByRole('timer', { name: 'Recorded' })).toHaveText('0:01');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByText('Recording discarded')).toBeVisible();
  };
  const heldRecordings = () =>
    page.evaluate(async () => {
      const { held = [] } = await navigator.locks.query();
      return held.filter(({ name = '' }) => name.startsWith('pawpals-recording:')).length;
    });

  await discard();
  expect(await heldRecordings()).toBe(1);
  await resume(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Kept as a voice note.')).toBeVisible();
  await expect.poll(heldRecordings).toBe(0);
  await expect(journal(page).getByRole('group', { name: 'Voice note' })).toHaveCount(1);

  await page.getByRole('button', { name: 'Dismiss notification' }).click();
  await discard();
  await resume(page);
  await page.getByRole('button', { name: 'Dismiss notification' }).click();
  await expect.poll(heldRecordings).toBe(0);
  await expect(journal(page).getByRole('group', { name: 'Voice note' })).toHaveCount(1);
});

/** Decodes no sound until a `decode` event, as on a busy phone. The function runs in a page. */
function holdDecoding(): void {
  const released = new Promise((resolve) => addEventListener('decode', resolve, { once: true }));
  globalThis.OfflineAudioContext = class extends OfflineAudioContext {
    override async decodeAudioData(bytes: ArrayBuffer): Promise<AudioBuffer> {
      await released;
      return super.decodeAudioData(bytes);
    }
  };
}

test('a dictation whose words stand in the box is kept once when the page resumes, and leaves the box empty', async ({
  newDevice,
}) => {
  const page = await openSyncedPet(await newDevice());
  await page.addInitScript(holdDecoding);
  await page.reload();
  const json = { text: 'we went away', rough: false };
  await page.route('**/api/transcribe', (route) => route.fulfill({ json }));
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('timer', { name: 'Recorded' })).toHaveText('0:01');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(composer(page)).toHaveValue('we went away');
  await resume(page, async () => {
    await settle(page);
    await page.evaluate(() => dispatchEvent(new Event('decode')));
  });
  await expect(journal(page).getByRole('group', { name: 'Voice note' })).toHaveCount(1);
  await expect(journal(page).getByText('we went away')).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await expect(page.getByText('could not be stored')).toHaveCount(0);
});
