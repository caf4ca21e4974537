import type { BrowserContext, Page, Worker } from 'playwright/test';
import { share, sharedSound } from '../support/fixtures/share-form.ts';
import { expect, test } from './fixtures.ts';
import {
  composer,
  dateTimes,
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openPet,
  openOnSecondDevice,
  openWithPet,
  waitForOfflineReady,
  writeNote,
} from './owner.ts';
import { storedOnDevice } from './stored-on-device.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Shifts the clock. The function runs in a page or a worker. */
function shiftClock(aheadMs: number): void {
  const startMs = performance.timeOrigin + aheadMs;
  Date.now = () => Math.round(startMs + performance.now());
}

/** Sets the clock of later pages of that device, and of its worker, which may restart at any time. */
async function setClock(context: BrowserContext, aheadMs: number): Promise<void> {
  await context.addInitScript(shiftClock, aheadMs);
  // A worker that has ended meanwhile needs no clock.
  const shift = (worker: Worker) =>
    void worker.evaluate(shiftClock, aheadMs).catch(() => undefined);
  context.serviceWorkers().forEach(shift);
  context.on('serviceworker', shift);
}

function notes(page: Page) {
  return journal(page).getByText(/^note /);
}

for (const [what, aheadMs] of [
  ['an hour behind', -hourMs],
  ['a year ahead', 365 * dayMs],
] as const) {
  test(`a clock ${what}: notes of both devices arrive, each once`, async ({ newDevice }) => {
    const email = newEmail();
    const wrong = await newDevice();
    await setClock(wrong.context, aheadMs);
    const page = await openWithPet(wrong, 'Bramble', email);
    await expectSynced(page);
    await goOffline(page);
    await writeNote(page, 'note of the wrong clock');
    await expectNothingSaving(page);
    await page.reload();
    await expect(notes(page)).toHaveText(['note of the wrong clock']);

    const right = await openOnSecondDevice(await newDevice(), email);
    await writeNote(right, 'note of the right clock');
    await expectSynced(right);

    await page.context().setOffline(false);
    await expectSynced(page);
    for (const each of [page, right]) {
      await expect(notes(each)).toHaveCount(2);
      await expect(each.getByText('note of the wrong clock', { exact: true })).toHaveCount(1);
      await expect(each.getByText('note of the right clock', { exact: true })).toHaveCount(1);
    }
    await expectSynced(page);
  });
}

for (const [what, aheadMs] of [
  ['ten minutes behind', -10 * minuteMs],
  ['ten minutes ahead', 10 * minuteMs],
  ['a day ahead', dayMs],
] as const) {
  test(`a clock ${what}: a note is as old as it is, once the server's time is known`, async ({
    newDevice,
  }) => {
    const device = await newDevice();
    await setClock(device.context, aheadMs);
    const page = await openWithPet(device);
    // The push of the dog measures the server's time. The status may still be that of before the dog, and the page
    // hears of what is stored a moment later.
    await expect.poll(() => storedOnDevice(page)).toContain('measuredAtMs');
    await expectSynced(page);
    await writeNote(page, 'note of now');
    await expect(journal(page).getByRole('time')).toHaveText(/^\d+ seconds? ago$/);
    await page.evaluate(shiftClock, aheadMs + 3 * minuteMs);
    // The page reads its clock every few seconds, and at once when it is looked at again.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(journal(page).getByRole('time')).toHaveText('3 minutes ago');
  });
}

test('a clock a day ahead: a shared recording stands between the notes from before and after it', async ({
  newDevice,
}) => {
  const device = await newDevice();
  await setClock(device.context, dayMs);
  const page = await openWithPet(device);
  await expect.poll(() => storedOnDevice(page)).toContain('measuredAtMs');
  await waitForOfflineReady(page);
  await writeNote(page, 'note before the sound');
  await expectSynced(page);
  await share(page, { files: [sharedSound()] });
  await page.getByRole('button', { name: 'Keep as a voice note' }).click();
  await writeNote(page, 'note after the sound');
  const entries = journal(page).getByRole('listitem');
  const expected = [/note before/, /0:02/, /note after/];
  await expect(entries.filter({ has: page.getByRole('time') })).toHaveText(expected);
  const times = await dateTimes(page);
  const latestMs = Date.now() + minuteMs;
  expect(times.filter((time) => Date.parse(time ?? '') > latestMs)).toEqual([]);
});

test('a clock that goes back between two visits: every note is there, and all of it is sent', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  await setClock(device.context, 365 * dayMs);
  const page = await openWithPet(device, 'Bramble', email);
  await writeNote(page, 'note 1');
  await expectSynced(page);
  await goOffline(page);
  await writeNote(page, 'note 2');
  await expectNothingSaving(page);
  await setClock(device.context, -365 * dayMs);
  await page.reload();
  await writeNote(page, 'note 3');
  await expectNothingSaving(page);
  await page.context().setOffline(false);
  await expectSynced(page);

  const other = await openOnSecondDevice(await newDevice(), email);
  await expect(notes(other)).toHaveCount(3);
  for (const each of [page, other]) {
    const texts = await notes(each).allTextContents();
    expect(texts.toSorted()).toEqual(['note 1', 'note 2', 'note 3']);
  }
});

test('a clock that is set back while two tabs are open: each tab shows the other’s note at once', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await openWithPet(device);
  // After this, the tab's last message is older than the other tab.
  await expectSynced(page);
  const other = await device.context.newPage();
  await other.goto(page.url());
  await expect(composer(other)).toBeVisible();
  await page.evaluate(shiftClock, -dayMs);
  await writeNote(page, 'note of the other tab');
  await expect(notes(other)).toHaveText(['note of the other tab']);
});

test('200 days without a connection: notes from before arrive with their date, and those of other devices are pulled', async ({
  newDevice,
}) => {
  const email = newEmail();
  const other = await openWithPet(await newDevice(), 'Bramble', email);
  await expectSynced(other);
  const drawer = await newDevice();
  await setClock(drawer.context, -200 * dayMs);
  // The device has pushed nothing, so it has not measured the server's time and trusts its own clock.
  const old = await openOnSecondDevice(drawer, email);
  await expectSynced(old);
  await goOffline(old);
  await writeNote(old, 'note before the drawer');
  await expectNothingSaving(old);
  await old.close();

  await writeNote(other, 'note of the summer');
  await expectSynced(other);

  await setClock(drawer.context, 0);
  const found = await drawer.open('/pets');
  await openPet(found, 'Bramble');
  await expect(notes(found)).toHaveText(['note before the drawer']);
  await drawer.context.setOffline(false);
  for (const each of [found, other]) {
    await expect(notes(each)).toHaveText(['note before the drawer', 'note of the summer']);
  }
  await expectSynced(found);
  const year = new Date(Date.now() - 200 * dayMs).getFullYear();
  await expect(journal(other).getByRole('heading', { level: 2 }).first()).toContainText(
    String(year),
  );
});
