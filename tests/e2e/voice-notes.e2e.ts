import type { Page, Request } from 'playwright/test';
import { faultsOf } from './faults.ts';
import { expect } from './fixtures.ts';
import {
  addPet,
  expectSynced,
  goOffline,
  newEmail,
  openPet,
  register,
  signIn,
  status,
  waitForOfflineReady,
} from './owner.ts';
import {
  createLastingBrowser,
  expectPlays,
  expectRecorded,
  heard,
  record,
  recordButton,
  soundsOnDevice,
  stopButton,
  test,
  voiceNotes,
} from './voice.ts';

async function ownerWithDog(page: Page): Promise<{ email: string; profile: string }> {
  const email = newEmail();
  await register(page, email);
  await addPet(page, 'Bramble');
  await expectSynced(page);
  await waitForOfflineReady(page);
  return { email, profile: new URL(page.url()).pathname };
}

function isUpload(request: Request): boolean {
  return request.method() === 'POST' && request.url().includes('/v0/b/');
}

test('five voice notes on a walk, the browser killed during the fifth: all play and have their text everywhere, once', async ({
  backend,
  newDevice,
  voiceArgs,
}) => {
  test.setTimeout(400_000);
  const phone = await createLastingBrowser(backend.url, voiceArgs);
  const first = await phone.open();
  const { email, profile } = await ownerWithDog(first.page);
  await goOffline(first.page);
  for (let count = 1; count <= 4; count += 1) {
    await record(first.page, 3);
    await expect(voiceNotes(first.page)).toHaveCount(count);
  }
  const recorded = await soundsOnDevice(first.page);
  expect(Object.keys(recorded)).toHaveLength(4);
  await recordButton(first.page).click();
  await expectRecorded(first.page, 4);
  await phone.kill();

  const { context, page } = await phone.open();
  await context.setOffline(true);
  const sent: string[] = [];
  context.on('request', (request) => {
    if (isUpload(request)) sent.push('upload');
  });
  // A page that stalls for long hands its work over to the next one, which requests missing transcripts again, so only
  // answers are counted.
  context.on('response', (response) => {
    if (response.ok() && response.url().endsWith('/api/transcribe')) sent.push('words');
  });
  await page.goto(profile);
  const offer = page.getByRole('region', { name: 'Recovered recordings' });
  await expect(offer).toContainText(/Recovered recording, [345] s/);
  await expect(voiceNotes(page)).toHaveCount(4);
  for (const note of await voiceNotes(page).all()) await expectPlays(page, note);
  await offer.getByRole('button', { name: 'Keep' }).click();
  await expect(voiceNotes(page)).toHaveCount(5);
  await expect(offer).toBeHidden();
  await expect(status(page)).toHaveText(/^Offline/);
  const kept = await soundsOnDevice(page);
  expect(kept).toMatchObject(recorded);
  expect(Object.keys(kept)).toHaveLength(5);

  await context.setOffline(false);
  await expect(voiceNotes(page).getByText(heard)).toHaveCount(5, { timeout: 180_000 });
  await expectSynced(page);
  expect(sent.toSorted()).toEqual([...Array(5).fill('upload'), ...Array(5).fill('words')]);

  const other = await (await newDevice()).open('/auth/login');
  await signIn(other, email);
  await openPet(other, 'Bramble');
  await expect(voiceNotes(other).getByText(heard)).toHaveCount(5);
  for (const note of await voiceNotes(other).all()) await expectPlays(other, note);
  expect(await soundsOnDevice(other)).toEqual(kept);
  await phone.dispose();
});

test('while the button is held on a touch screen, speech is transcribed into the composer, and sent with its recording, also after a reload', async ({
  newDevice,
}) => {
  test.slow();
  const device = await newDevice();
  const page = await device.open('/auth/register');
  const { email } = await ownerWithDog(page);
  const button = await recordButton(page).boundingBox();
  if (button === null) throw new Error('no button');
  const point = { x: button.x + button.width / 2, y: button.y + button.height / 2 };
  const touch = await device.context.newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await expectRecorded(page, 4);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });

  const overlay = page.getByText('Transcribing your voice note… this may take a moment.');
  await expect(overlay).toBeVisible();
  const box = page.getByRole('textbox', { name: 'Write a note' });
  await box.fill('On the beach:');
  await expect(box).toHaveValue(/^On the beach: .*yesterday we went/);
  const attached = page.getByText(/^With your recording, 0:0[45]\./);
  await expect(attached).toBeVisible();
  await expect.poll(() => faultsOf(page)).toEqual([]);
  await page.reload();
  await expect(attached).toBeVisible();
  await expect(box).toHaveValue(/^On the beach: .*yesterday we went/);
  await expect(page.getByRole('region', { name: 'Recovered recordings' })).toHaveCount(0);
  await box.press('Enter');
  await expect(voiceNotes(page)).toHaveCount(1);
  await expect(voiceNotes(page).getByText(/^On the beach: .*yesterday we went/)).toBeVisible();
  await expect(box).toHaveValue('');
  await expectPlays(page, voiceNotes(page));
  await expectSynced(page);
  expect(Object.keys(await soundsOnDevice(page))).toHaveLength(1);
  // Another device shows the waveform before it has fetched the recording.
  const other = await (await newDevice()).open('/auth/login');
  await signIn(other, email);
  await openPet(other, 'Bramble');
  await expect(voiceNotes(other).getByText(/^On the beach: /)).toBeVisible();
  const drawn = (shown: Page) => voiceNotes(shown).locator('svg path[opacity]').getAttribute('d');
  expect(await drawn(other)).toBe(await drawn(page));
  await expectPlays(other, voiceNotes(other));
});

test('the recording page leads back to the journal, where the note gets its text', async ({
  newDevice,
}) => {
  test.slow();
  const page = await (await newDevice()).open('/auth/register');
  await ownerWithDog(page);
  await page.getByRole('link', { name: 'Actions' }).click();
  await page.goto(page.url().replace('/actions', '/actions/add-voice-note'));
  await expect(page.getByRole('heading', { name: 'Record Voice Note' })).toBeVisible();
  await recordButton(page).click();
  await expect(stopButton(page)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(recordButton(page)).toBeVisible();
  await record(page, 4);
  await expect(voiceNotes(page)).toHaveCount(1);
  await expect(voiceNotes(page).getByText(heard)).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect.poll(() => faultsOf(page)).toEqual([]);
  }
  await voiceNotes(page).getByRole('link', { name: heard }).click();
  await expect(page.getByRole('button', { name: 'Save the recording' })).toBeVisible();
  await expect.poll(() => faultsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Correct the text' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('We were away for two hours.');
  await page.getByRole('button', { name: 'Save the text' }).click();
  // The text box may still be there, so the paragraph is matched.
  await expect(
    page.getByRole('paragraph').filter({ hasText: 'We were away for two hours.' }),
  ).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the recording' }).click();
  expect((await download).suggestedFilename()).toMatch(/^voice-note-\d+\.webm$/);
  await page.getByRole('button', { name: 'Transcribe again' }).click();
  await page.getByRole('button', { name: 'Replace your own words' }).click();
  await expect(page.getByText(heard)).toBeVisible();
});
