import type { Page, Route } from 'playwright/test';
import { answerFirst, holdFirst } from './first-request.ts';
import { expect, type Device } from './fixtures.ts';
import { limitRoom } from './full-device.ts';
import {
  addPet,
  expectSynced,
  goOffline,
  newEmail,
  openOnSecondDevice,
  register,
  status,
} from './owner.ts';
import {
  expectPlays,
  expectRecorded,
  heard,
  ownBackendTest,
  record,
  recordButton,
  soundsOnDevice,
  stopButton,
  test,
  voiceNotes,
} from './voice.ts';

const uploads = '**/v0/b/*/o?name=*';
const words = '**/api/transcribe';

// The expected errors are answers that the tests provoke, missing files, the bell's session, which a killed server
// forgets, and a worker that finds no room on a full device.
test.use({
  expectedErrors:
    /status of (403|404|413|415|503) |status of 400 .*Listen\/channel|Uncaught: QuotaExceededError/,
});

async function ownerWithDog(page: Page): Promise<string> {
  const email = newEmail();
  await register(page, email);
  await addPet(page, 'Bramble');
  await expectSynced(page);
  return email;
}

/** Records on the separate page, so that no composer waits for the transcript. */
async function recordNote(page: Page, count = 1): Promise<void> {
  const profile = page.url();
  await page.goto(profile.replace('/profile', '/actions/add-voice-note'));
  await record(page, 3);
  await expect(voiceNotes(page)).toHaveCount(count);
}

const refuse = (httpStatus: number, code: string) => async (route: Route) =>
  route.fulfill({ status: httpStatus, json: { error: { code, message: 'no' } } });

async function expectOnSecondDevice(device: Device, email: string, from: Page): Promise<void> {
  const page = await openOnSecondDevice(device, email);
  await expect(voiceNotes(page)).toHaveCount(1);
  await expect(voiceNotes(page).getByText(heard)).toBeVisible();
  await expectPlays(page, voiceNotes(page));
  expect(await soundsOnDevice(page)).toEqual(await soundsOnDevice(from));
}

for (const [code, reason] of [
  [403, 'The server says that it is not yours to change.'],
  [413, 'It is too large for the server.'],
] as const) {
  test(`an upload refused with ${String(code)} is kept with its reason, plays, and goes up on request`, async ({
    newDevice,
  }) => {
    test.slow();
    const page = await (await newDevice()).open('/auth/register');
    const email = await ownerWithDog(page);
    const json = { error: { code, message: 'no' } };
    await answerFirst(page, uploads, (route) => route.fulfill({ status: code, json }));
    await recordNote(page);
    await expect(voiceNotes(page).getByText(reason)).toBeVisible();
    await expectPlays(page, voiceNotes(page));
    await expect(status(page)).toHaveText('1 could not be sent');
    await page.getByRole('button', { name: /Sync details/ }).click();
    const parked = page.getByRole('dialog').getByRole('list', { name: '1 could not be sent' });
    const item = parked.getByRole('listitem');
    await expect(item).toContainText('A voice note of Bramble');
    await expect(item).toContainText(reason);
    await item.getByRole('button', { name: 'Retry' }).click();
    await expectSynced(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(voiceNotes(page).getByText(heard)).toBeVisible();
    await expectOnSecondDevice(await newDevice(), email, page);
  });
}

test('a web page in place of an answer, and an answer that is lost after storing: nothing lost, nothing twice', async ({
  newDevice,
}) => {
  test.slow();
  const page = await (await newDevice()).open('/auth/register');
  const email = await ownerWithDog(page);
  const names = new Set<string>();
  let stored = 0;
  const html = '<html>Sign in to this Wi-Fi</html>';
  const answers: ((route: Route) => Promise<void>)[] = [
    (route) => route.fulfill({ status: 200, contentType: 'text/html', body: html }),
    async (route) => {
      expect((await route.fetch()).status()).toBe(200);
      stored += 1;
      await route.abort();
    },
  ];
  const context = page.context();
  await context.route(uploads, async (route) => {
    names.add(route.request().url());
    const answer = answers.shift();
    if (answer !== undefined) await answer(route);
    else {
      stored += 1;
      await route.continue();
    }
  });
  let asked = 0;
  await context.route(words, async (route) => {
    asked += 1;
    if (asked > 1) await route.continue();
    else await route.fulfill({ status: 200, contentType: 'text/html', body: html });
  });
  await recordNote(page);
  await expect(async () => {
    await page.getByRole('button', { name: /Sync details/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sync now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(voiceNotes(page).getByText(heard)).toBeVisible({ timeout: 5_000 });
  }).toPass();
  expect(stored).toBe(1);
  expect(names.size).toBe(1);
  await expectSynced(page);
  await expectOnSecondDevice(await newDevice(), email, page);
});

ownBackendTest(
  'a server that stalls and is killed in the middle of an upload gets the note when it is back',
  async ({ newDevice, ownBackend }) => {
    test.slow();
    const page = await (await newDevice()).open('/auth/register');
    const email = await ownerWithDog(page);
    const stalled = holdFirst(page, uploads);
    await recordNote(page);
    const route = await stalled;
    await expect(voiceNotes(page).getByText('Uploading…')).toBeVisible();
    await ownBackend.kill();
    await route.abort();
    await expectPlays(page, voiceNotes(page));
    await ownBackend.restart();
    await expect(voiceNotes(page).getByText(heard)).toBeVisible({ timeout: 60_000 });
    await expectSynced(page);
    await expectOnSecondDevice(await newDevice(), email, page);
  },
);

test('a server without an engine is reported with each note; with an engine the notes get their texts', async ({
  newDevice,
}) => {
  test.slow();
  const device = await newDevice();
  const page = await device.open('/auth/register');
  await ownerWithDog(page);
  await device.context.route(words, refuse(503, 'no-engine'));
  await recordNote(page);
  const noTexts = 'This server makes no texts of recordings.';
  await expect(voiceNotes(page).getByText(noTexts)).toBeVisible();
  await recordNote(page, 2);
  await expectSynced(page);
  await expect(page.getByText('AI Generation In Progress')).toHaveCount(0);
  await expect(page.getByText(noTexts)).toHaveCount(2);
  await expectPlays(page, voiceNotes(page).first());
  await device.context.unroute(words);
  await page.reload();
  await expect(voiceNotes(page).getByText(heard)).toHaveCount(2);
});

test('a refused transcription is reported and can be retried', async ({ newDevice }) => {
  test.slow();
  const page = await (await newDevice()).open('/auth/register');
  await ownerWithDog(page);
  await answerFirst(page, words, refuse(415, 'not-audio'));
  await recordNote(page);
  await expect(voiceNotes(page).getByText('No text could be made of this recording')).toBeVisible();
  await page.getByRole('button', { name: /Sync details/ }).click();
  // The entry itself may still be in flight.
  const parked = page.getByRole('dialog').getByRole('list', { name: '1 could not be sent' });
  const item = parked.getByRole('listitem');
  await expect(item).toContainText('The server cannot read this type of recording.');
  await item.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(voiceNotes(page).getByText(heard)).toBeVisible();
  await expectSynced(page);
});

test('a clock that is set back during a recording takes nothing of it', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/register');
  await ownerWithDog(page);
  const profile = page.url();
  await page.goto(profile.replace('/profile', '/actions/add-voice-note'));
  await recordButton(page).click();
  await expectRecorded(page, 1);
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() - 3_600_000;
  });
  await expectRecorded(page, 2);
  await stopButton(page).click();
  await expect(voiceNotes(page)).toHaveCount(1);
  await expectPlays(page, voiceNotes(page));
});

test.describe(() => {
  test.use({ isFirstVisit: true });

  test('a full device ends a recording, refuses the next, and keeps the stored part', async ({
    backend,
    newDevice,
  }) => {
    test.slow();
    const device = await newDevice();
    const room = await limitRoom(device.context, backend.url);
    const page = await device.open('/auth/register');
    const email = await ownerWithDog(page);
    await recordNote(page);
    await expectSynced(page);
    await goOffline(page);
    await recordButton(page).click();
    await expectRecorded(page, 2);
    await room.fill(page);
    const full = page.getByText('Your device has no room for a recording.');
    await expect(full).toBeVisible();
    await page.reload();
    await recordButton(page).click();
    await expect(full).toBeVisible();
    await expectPlays(page, voiceNotes(page));
    await room.empty(page);
    await page.reload();
    await page.getByRole('button', { name: 'Keep' }).click();
    await expect(voiceNotes(page)).toHaveCount(2);
    await page.context().setOffline(false);
    await expectSynced(page);
    const other = await openOnSecondDevice(await newDevice(), email);
    await expect(voiceNotes(other)).toHaveCount(2);
    for (const note of await voiceNotes(other).all()) await expectPlays(other, note);
    expect(await soundsOnDevice(other)).toEqual(await soundsOnDevice(page));
  });
});
