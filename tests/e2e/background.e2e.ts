import type { BrowserContext, Page } from 'playwright/test';
import { backgroundSyncTag } from '../../schemas/local/relay-message.ts';
import { storedOfOwner } from '../support/stored-of-owner.ts';
import { expect } from './fixtures.ts';
import {
  discardAndSignOut,
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openOnSecondDevice,
  openSyncedPet,
  openWithPet,
  pressSignOut,
  status,
  writeNote,
} from './owner.ts';
import { closeAll, wakeWorker } from './put-away.ts';
import { heard, record, test, voiceNotes } from './voice.ts';

test.use({ isFirstVisit: true });

/** Returns the paths of the worker's requests other than GET; requests of pages are left out. */
function watchWorker(context: BrowserContext): string[] {
  const sent: string[] = [];
  context.on('request', (request) => {
    if (request.serviceWorker() === null || request.method() === 'GET') return;
    sent.push(new URL(request.url()).pathname);
  });
  return sent;
}

interface SyncManager {
  register(tag: string): Promise<void>;
  getTags(): Promise<string[]>;
}

declare global {
  interface ServiceWorkerRegistration {
    readonly sync: SyncManager;
  }
}

function wish(page: Page): Promise<void> {
  return page.evaluate(
    async (tag) => (await navigator.serviceWorker.ready).sync.register(tag),
    backgroundSyncTag,
  );
}

/** Returns the tags of the background syncs that are registered with the browser. */
function wishes(page: Page): Promise<string[]> {
  return page.evaluate(async () => (await navigator.serviceWorker.ready).sync.getTags());
}

test('with no tab open, the worker sends a note and a recording made offline, and has it transcribed', async ({
  backend,
  newDevice,
}) => {
  test.slow();
  const email = newEmail();
  const phone = await newDevice();
  const page = await openWithPet(phone, 'Bramble', email);
  await expectSynced(page);
  await goOffline(page);
  await writeNote(page, 'written on a walk');
  await expectNothingSaving(page);
  await record(page, 3);
  await expect(voiceNotes(page)).toHaveCount(1);
  await expect(status(page)).toHaveText(/^Offline, \d waiting$/);
  const sent = watchWorker(phone.context);
  await closeAll(phone.context);
  await phone.context.setOffline(false);
  await wakeWorker(phone.context, backend.url);

  const other = await openOnSecondDevice(await newDevice(), email);
  await expect(journal(other).getByText('written on a walk')).toBeVisible();
  await expect(voiceNotes(other).getByText(heard)).toHaveCount(1, { timeout: 90_000 });
  expect(phone.context.pages()).toEqual([]);
  expect(sent.filter((path) => path.startsWith('/v0/b/'))).toHaveLength(1);
  expect(sent.filter((path) => path === '/api/transcribe')).toHaveLength(1);
});

test('a tab closed right after a note was written leaves the rest to the worker', async ({
  newDevice,
}) => {
  const email = newEmail();
  const phone = await newDevice();
  const page = await openSyncedPet(phone, email);
  await writeNote(page, 'one last thing');
  await expectNothingSaving(page);
  await closeAll(phone.context);

  const other = await openOnSecondDevice(await newDevice(), email);
  await expect(journal(other).getByText('one last thing')).toBeVisible();
});

test('a worker that is stopped in the middle of a sync resumes when it is woken: nothing lost, nothing twice', async ({
  backend,
  newDevice,
}) => {
  const email = newEmail();
  const phone = await newDevice();
  const page = await openWithPet(phone, 'Bramble', email);
  await expectSynced(page);
  await goOffline(page);
  for (const text of ['note 1', 'note 2', 'note 3']) await writeNote(page, text);
  await expectNothingSaving(page);
  await closeAll(phone.context);

  const blank = await phone.context.newPage();
  const devTools = await phone.context.newCDPSession(blank);
  await devTools.send('ServiceWorker.enable');
  const stopped = phone.context
    .waitForEvent('request', (request) => request.url().includes('documents:commit'))
    .then(() => devTools.send('ServiceWorker.stopAllWorkers'));
  await phone.context.setOffline(false);
  await wakeWorker(phone.context, backend.url);
  await stopped;
  await blank.close();
  await wakeWorker(phone.context, backend.url);

  const other = await openOnSecondDevice(await newDevice(), email);
  const notes = journal(other).getByText(/^note /);
  await expect(notes).toHaveText(['note 1', 'note 2', 'note 3']);
});

test('after a sign-out the worker sends nothing and brings nothing back', async ({ newDevice }) => {
  const phone = await newDevice();
  const page = await openWithPet(phone, 'Bramble');
  await expectSynced(page);
  await goOffline(page);
  await writeNote(page, 'not for others');
  await expect(status(page)).toHaveText('Offline, 1 waiting');
  await pressSignOut(page);
  await discardAndSignOut(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const sent = watchWorker(phone.context);
  await phone.context.setOffline(false);
  // The browser removes a registration after the worker has handled it, whether it was made before the sign-out or now.
  await expect.poll(() => wishes(page)).toEqual([]);
  await wish(page);
  await expect.poll(() => wishes(page)).toEqual([]);
  await expect.poll(() => storedOfOwner(page)).toEqual([]);
  // A lookup of the account may have been in flight.
  expect(sent.filter((path) => !path.endsWith('/accounts:lookup'))).toEqual([]);
});
