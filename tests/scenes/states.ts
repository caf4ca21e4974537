import { expect, type Page } from 'playwright/test';
import { demoOwner } from '../../scripts/demo-owner/demo-owner.ts';
import { submitSignIn } from '../e2e/owner.ts';
import { share, sharedPhoto, sharedSound } from '../support/fixtures/share-form.ts';
import { of } from './scene.ts';

const full = of('full');
const arriving = of('arriving');
const workerless = of('workerless');

const duke = '/pets/full-0';
const wren = '/pets/full-6';

async function openMenuOfDog(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /actions/i })
    .first()
    .click();
  await expect(page.getByRole('menu')).toBeVisible();
}

async function waitForServer(page: Page): Promise<void> {
  await page.context().route(/documents:/, () => undefined);
  await submitSignIn(page, demoOwner.email, demoOwner.password);
  await expect(page.locator('[aria-busy=true]')).toBeVisible();
}

/** Once the page has read a shared item, later scenes without it on disk show no reminder. */
async function removeShared(page: Page): Promise<void> {
  await page.evaluate(() => indexedDB.deleteDatabase('pawpals--shared'));
}

const sharedTexts = { title: 'From the trainer', text: 'Listen to this, and look at her stand.' };

async function shareText(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await share(page, { texts: sharedTexts });
  await expect(page.getByRole('button', { name: 'Bramble' })).toBeVisible();
  await removeShared(page);
}

async function shareWithDog(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const large = { name: 'Film.mov', type: 'video/quicktime', base64: '' };
  const files = [sharedSound(), sharedPhoto, sharedSound(130), large];
  await share(page, { texts: sharedTexts, files });
  await page.getByRole('button', { name: 'Bramble' }).click();
  await expect(page.getByRole('button', { name: 'Keep as a voice note' })).toBeVisible();
  await expect(page.getByText(/longer than 2 minutes/)).toBeVisible();
  await removeShared(page);
}

/** Shows the page as on iOS, where no API can prompt for an installation. */
async function showInstallSteps(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone) Safari/604.1' });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Install app' }).click();
  await expect(page.getByText(/Everything is synced|Sync first/)).toBeVisible();
}

const refusal = { error: { code: 403, status: 'PERMISSION_DENIED', message: 'Refused' } };

async function refuseNote(page: Page): Promise<void> {
  await page
    .context()
    .route(/documents:commit/, (route) => route.fulfill({ status: 403, json: refusal }));
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  await composer.fill('The server does not like this one.');
  await composer.press('Enter');
  await expect(page.getByRole('status', { name: 'Sync status' })).toHaveText(/could not be sent/);
  await page.getByRole('button', { name: /Sync details/ }).click();
  await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
}

async function deleteNewestNote(page: Page): Promise<void> {
  const newest = page.getByRole('list', { name: 'Journal' }).locator('a[href*="/notes/"]').last();
  // The link is opened with Enter: the heading folds while the list scrolls, and a click could hit a moving element.
  await newest.press('Enter');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
}

async function writeLarger(page: Page): Promise<void> {
  await page
    .getByRole('textbox', { name: 'Write a note' })
    .fill('Long walk along the weir.\n\nShe met two spaniels, and swam after the stick twice.');
  await page.getByRole('button', { name: 'Write larger' }).click();
  await expect(page.getByRole('textbox', { name: 'Note', exact: true })).toBeFocused();
}

/** Shows the composer in the height that a phone's on-screen keyboard leaves. */
async function writeLow(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: size?.width ?? 390, height: 330 });
  await page.getByRole('textbox', { name: 'Write a note' }).focus();
}

async function askToSignOut(page: Page): Promise<void> {
  await page.context().setOffline(true);
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  await composer.fill('Not in the cloud yet.');
  await composer.press('Enter');
  await expect(page.getByRole('status', { name: 'Sync status' })).toHaveText(/waiting/);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

async function openMonth(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Go to a date', exact: true }).click();
  const month = page.getByRole('dialog', { name: 'Go to a date' });
  await expect(month.getByRole('status')).toHaveText(/with entries/);
}

/**
 * Stores a conflict version as a merge of two devices does. The viewer signs in for this scene, so that other scenes do
 * not show it.
 */
async function showOtherVersion(page: Page): Promise<void> {
  await submitSignIn(page, demoOwner.email, demoOwner.password);
  await page
    .getByRole('main')
    .getByRole('link', { name: /Bramble/ })
    .click();
  await expect(page.getByRole('status', { name: 'Sync status' })).toHaveText('Synced');
  await page.evaluate(async () => {
    const data = {
      kind: 'conflict-version',
      collection: 'entries',
      documentId: 'demo-bramble-0-days-ago-08-12',
      petId: 'demo-bramble',
      fields: { text: 'Long walk along the dyke. She sat for every cyclist.' },
      edits: { text: 1 },
      reason: 'other-edit',
      side: 'local',
      keptAtMs: Date.now(),
    };
    const ofRxDb = { _deleted: false, _attachments: {}, _meta: { lwt: 1 }, _rev: '1-scene' };
    for (const { name = '' } of await indexedDB.databases()) {
      const opening = indexedDB.open(name);
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const database = opening.result;
      if (database.objectStoreNames.contains('local')) {
        const transaction = database.transaction('local', 'readwrite');
        transaction
          .objectStore('local')
          .put({ id: 'version:scene', kind: 'conflict-version', data, ...ofRxDb });
        await new Promise((resolve) => transaction.addEventListener('complete', resolve));
      }
      database.close();
    }
  });
  await page.reload();
  await expect(page.getByRole('link', { name: 'Other version' })).toBeVisible();
}

/** Pages that are full, empty, waiting or in trouble. */
export const states = [
  full('full-pets', '/pets', async (page) => {
    await expect(page.getByRole('link', { name: /Wren/ }).first()).toBeVisible();
  }),
  full('full-pet-menu', '/pets', openMenuOfDog),
  full('full-journal', `${duke}/profile`, async (page) => {
    await expect(page.getByText(/a line after an empty one/).last()).toBeVisible();
  }),
  full('journal-month', `${duke}/profile`, openMonth),
  arriving('journal-other-version', '/auth/login', showOtherVersion),
  full('full-actions', '/pets/full-1/actions', async (page) => {
    await expect(page.getByText('Delete Profile')).toBeVisible();
  }),
  full('full-note', `${duke}/notes/full-297`, async (page) => {
    await expect(page.getByText('Recall from two hundred metres').first()).toBeVisible();
  }),
  full('journal-empty', `${wren}/profile`, async (page) => {
    await expect(page.getByRole('textbox', { name: 'Write a note' })).toBeVisible();
  }),
  full('composer-larger', '/pets/full-5/profile', writeLarger),
  full('composer-low', `${duke}/profile`, writeLow),
  full('note-deleted', `${duke}/profile`, deleteNewestNote),
  full('sync-sheet-refused', `${duke}/profile`, refuseNote),
  full('sign-out-unsent', `${wren}/profile`, askToSignOut),
  of('demo')('quick-share', '/pets', shareText),
  of('demo')('shared-parts', '/pets', shareWithDog),
  of('demo')('shared-nothing', '/quick/share', async (page) => {
    await expect(page.getByText(/Nothing has arrived/)).toBeVisible();
  }),
  of('demo')('shared-gone', '/quick/share?share=gone', async (page) => {
    await expect(page.getByText(/not here any more/)).toBeVisible();
  }),
  { ...of('demo')('install-steps', '/settings', showInstallSteps), addsScript: true as const },
  arriving('pets-loading', '/pets', waitForServer),
  workerless('page-not-loaded', '/help', async (page) => {
    await page.context().route('**/static/js/screens-*.js', (route) => route.abort());
    await page.reload();
    await expect(page.getByText('This page could not be loaded.')).toBeVisible();
  }),
];
