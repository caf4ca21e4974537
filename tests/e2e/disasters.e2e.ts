import { collectionGroup, getDocs, query, where } from 'firebase/firestore/lite';
import type { Page, Route } from 'playwright/test';
import { openFirestoreClient } from '../support/servers/firestore-client.ts';
import { answerFirst } from './first-request.ts';
import { expect, ownBackendTest, test, type Device } from './fixtures.ts';
import {
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openOnSecondDevice,
  openSyncedPet,
  status,
  writeNote,
} from './owner.ts';

const commits = '**/documents:commit*';

// A restarted server does not know the streams from before the kill, and refuses the probe of the connection.
test.use({ expectedErrors: /400 .*\/Listen\/channel|documents\/sync\/probe/ });

async function writeOffline(page: Page, count: number): Promise<string[]> {
  await goOffline(page);
  const texts = Array.from({ length: count }, (_, index) => `note ${index + 1}`);
  for (const text of texts) await writeNote(page, text);
  return texts;
}

async function expectJournal(page: Page, texts: readonly string[]): Promise<void> {
  await expect(journal(page).getByText(texts.at(-1) ?? '', { exact: true })).toBeVisible();
  await expect(journal(page).getByText(/^note \d+$/)).toHaveText([...texts]);
}

async function expectOnSecondDevice(device: Device, email: string, texts: readonly string[]) {
  const page = await openOnSecondDevice(device, email);
  await expectJournal(page, texts);
}

ownBackendTest(
  'the server is killed when a commit arrives: nothing lost, nothing twice',
  async ({ ownBackend, newDevice }) => {
    const email = newEmail();
    const device = await newDevice();
    const page = await openSyncedPet(device, email);
    const texts = await writeOffline(page, 12);

    const killed = device.context
      .waitForEvent('request', (request) => request.url().includes('documents:commit'))
      .then(() => ownBackend.kill());
    await device.context.setOffline(false);
    await killed;
    await ownBackend.restart();

    await expectSynced(page);
    await expectJournal(page, texts);
    await expectOnSecondDevice(await newDevice(), email, texts);
  },
);

ownBackendTest(
  'the server commits and dies before its answer: nothing lost, nothing twice',
  async ({ ownBackend, newDevice }) => {
    const email = newEmail();
    const device = await newDevice();
    const page = await openSyncedPet(device, email);
    const texts = await writeOffline(page, 12);

    const loseTheAnswer = async (route: Route): Promise<void> => {
      const answer = await route.fetch();
      expect(answer.status()).toBe(200);
      await ownBackend.kill();
      await route.abort();
    };
    await answerFirst(page, commits, loseTheAnswer);
    const lost = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('documents:commit'),
    );
    await device.context.setOffline(false);
    await lost;
    await writeNote(page, 'note 13');
    await ownBackend.restart();

    await expectSynced(page);
    await expectJournal(page, [...texts, 'note 13']);
    await expectOnSecondDevice(await newDevice(), email, [...texts, 'note 13']);
  },
);

ownBackendTest(
  'the server is killed between two commits of a backlog: nothing lost, nothing twice',
  async ({ ownBackend, newDevice }) => {
    const email = newEmail();
    const device = await newDevice();
    const page = await openSyncedPet(device, email);
    test.slow();
    await goOffline(page);
    // The notes exceed the 100 documents of one commit.
    const texts = Array.from({ length: 110 }, (_, index) => `note ${index + 1}`);
    const composer = page.getByRole('textbox', { name: 'Write a note' });
    for (const text of texts) {
      await composer.fill(text);
      await composer.press('Enter');
    }
    await expect(status(page)).toHaveText('Offline, 110 waiting');

    let commitCount = 0;
    const killed = device.context
      .waitForEvent('request', (request) => {
        if (request.url().includes('documents:commit')) commitCount += 1;
        return commitCount === 2;
      })
      .then(() => ownBackend.kill());
    await device.context.setOffline(false);
    await killed;
    await ownBackend.restart();

    await expectSynced(page);
    // The second device may still be pulling: its journal shows the first page already.
    const second = journal(await openOnSecondDevice(await newDevice(), email));
    await expect
      .poll(async () => (await second.getByText(/^note \d+$/).allTextContents()).slice(-50))
      .toEqual(texts.slice(-50));
    const other = await openFirestoreClient({ url: ownBackend.url, email, isNew: false });
    const mine = where('createdBy', '==', other.uid);
    const stored = await getDocs(query(collectionGroup(other.firestore, 'journalEntries'), mine));
    const storedTexts = stored.docs.map((document) => String(document.get('text')));
    expect(storedTexts.toSorted()).toEqual(texts.toSorted());
    await other.close();
  },
);

test('a captive portal answers every request with a page: sync says so and recovers', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const page = await openSyncedPet(device, email);

  const portal = { status: 200, contentType: 'text/html', body: '<html>Welcome to Wi-Fi</html>' };
  const servers = /\/v1\/projects|googleapis\.com|google\.firestore/;
  await device.context.route(servers, (route) => route.fulfill(portal));
  await writeNote(page, 'note 1');
  await expect(status(page)).toHaveText(/perhaps a Wi-Fi sign-in page/);
  await page.reload();
  await expectJournal(page, ['note 1']);

  await device.context.unroute(servers);
  await expectSynced(page);
  await expectOnSecondDevice(await newDevice(), email, ['note 1']);
});

test('the tab is killed while it writes: every note that was shown as kept is there', async ({
  newDevice,
}) => {
  const email = newEmail();
  const device = await newDevice();
  const page = await openSyncedPet(device, email);
  const profile = page.url();
  const texts = await writeOffline(page, 5);
  await expect(journal(page).getByText('On this device')).toHaveCount(5);

  const cdp = await device.context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  cdp.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();

  const reopened = await device.open(profile);
  await expectJournal(reopened, texts);
  await device.context.setOffline(false);
  await expectSynced(reopened);
  await expectOnSecondDevice(await newDevice(), email, texts);
});
