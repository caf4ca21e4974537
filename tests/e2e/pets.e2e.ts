import type { Locator, Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import {
  addPet,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openPet,
  openWithPet,
  register,
  scrollTo,
  signIn,
  status,
  writeNote,
} from './owner.ts';
import { sidewaysOverflow } from './sideways.ts';

async function openAction(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('link', { name }).click();
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

async function expectProfile(page: Page, facts: string | RegExp): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(facts);
}

function note(page: Page, text: string) {
  return journal(page).getByText(text, { exact: true });
}

/** Returns the date that many days ago, in the format of a date input. */
function daysAgo(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() - days);
  return date.toLocaleDateString('sv');
}

test('breed, date of birth and details from the menu, with two steps back each', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  const profile = page.url();

  await openAction(page, 'Set Breed');
  await page.getByRole('searchbox', { name: 'Search breeds' }).fill('springer');
  await expect(page.getByRole('radio')).toHaveCount(2);
  await page.getByRole('radio', { name: 'Welsh Springer Spaniel' }).check();
  await save(page);
  await expectProfile(page, 'Welsh Springer Spaniel');
  expect(page.url()).toBe(profile);

  await page.getByRole('link', { name: 'Actions' }).click();
  await expect(page.getByRole('link', { name: 'Share with Trainer' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Set Breed' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Set Date of Birth' }).click();
  const dob = page.getByLabel('Date of Birth');
  await expect(dob).toHaveValue(daysAgo(0));
  await dob.fill('0001-01-01');
  await save(page);
  await expect(page.getByText('Date of birth cannot be before the year 1900')).toBeVisible();
  await dob.fill(daysAgo(-1));
  await save(page);
  await expect(page.getByText('Date of birth cannot be in the future')).toBeVisible();
  await dob.fill(daysAgo(6));
  await save(page);
  await expectProfile(page, 'Welsh Springer Spaniel · 6 days');
  expect(page.url()).toBe(profile);

  await openAction(page, 'Edit Details');
  await page.getByRole('textbox', { name: 'Pet Name' }).fill('Bracken');
  await page.getByRole('combobox', { name: 'Breed' }).selectOption('Vizsla');
  await page.getByRole('textbox', { name: 'Description' }).fill('Likes <b>water</b> 🦆');
  await save(page);
  await expectProfile(page, /Vizsla\s· 6\sdays/);
  await page.getByRole('button', { name: 'Back' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Bracken' });
  await expect(card).toContainText('Likes <b>water</b> 🦆');
});

test('by keyboard alone: the menu of a card, the search of a breed, and back to the list', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Actions for Bramble' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Add Note' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Delete Profile' })).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.getByRole('menuitem', { name: 'Add Note' })).toBeFocused();
  await page.keyboard.type('set b');
  await expect(page.getByRole('menuitem', { name: 'Set Breed' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Search breeds' }).focus();
  await page.keyboard.type('weim');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('radio', { name: 'Weimaraner' })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Weimaraner' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
});

test('a short note is added once, however often Save is pressed', async ({ newDevice }) => {
  const device = await newDevice();
  const page = await openWithPet(device);
  const profile = page.url();
  await page.goto('/quick/note');
  const box = page.getByRole('textbox', { name: 'Note' });
  await expect(box).toBeFocused();
  await expect(page).toHaveURL(/\/actions\/add-note$/);
  await page.keyboard.insertText(`${'x'.repeat(190)} and more words than fit`);
  await expect(page.getByText('200 / 200')).toBeVisible();
  await box.fill('Ducks at dawn');
  await page.getByRole('button', { name: 'Save', exact: true }).dblclick();
  await expect(note(page, 'Ducks at dawn')).toHaveCount(1);
  expect(page.url()).toBe(profile);
  await page.reload();
  await expect(note(page, 'Ducks at dawn')).toHaveCount(1);
});

test('a deleted note stays deleted over a killed tab, and comes back with Undo, also elsewhere', async ({
  newDevice,
}) => {
  const email = newEmail();
  const deviceA = await newDevice();
  let a = await openWithPet(deviceA, 'Bramble', email);
  const profile = a.url();
  await writeNote(a, 'first');
  await writeNote(a, 'second');
  await expectSynced(a);
  const b = await (await newDevice()).open('/auth/login');
  await signIn(b, email);
  await openPet(b, 'Bramble');
  await expect(note(b, 'second')).toBeVisible();

  const remove = async (text: string): Promise<void> => {
    await note(a, text).click();
    await a.getByRole('button', { name: 'Delete' }).click();
    await a.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(a.getByText('Entry deleted')).toBeVisible();
  };
  await remove('first');
  await a.close();
  a = await deviceA.open(profile);
  await expect(note(a, 'second')).toBeVisible();
  await expect(note(a, 'first')).toHaveCount(0);

  await remove('second');
  await expectSynced(a);
  await expect(b.getByText('Congratulations', { exact: false })).toBeVisible();
  await a.getByRole('button', { name: 'Undo' }).click();
  await expect(note(a, 'second')).toHaveCount(1);
  await expect(note(b, 'second')).toHaveCount(1);
});

test('what is set on one device appears on the other: breed, date of birth, deletion', async ({
  newDevice,
}) => {
  const email = newEmail();
  const a = await openWithPet(await newDevice(), 'Bramble', email);
  await writeNote(a, 'on the walk');
  await expectSynced(a);
  const b = await (await newDevice()).open('/auth/login');
  await signIn(b, email);
  await openPet(b, 'Bramble');

  await openAction(a, 'Set Breed');
  await a.getByRole('radio', { name: 'Vizsla', exact: true }).check();
  await save(a);
  await expectProfile(b, 'Vizsla');
  await openAction(a, 'Set Date of Birth');
  await a.getByLabel('Date of Birth').fill(daysAgo(90));
  await save(a);
  await expectProfile(b, /Vizsla\s· [23]\smonths/);

  await openAction(a, 'Delete Profile');
  const dialog = a.getByRole('alertdialog', { name: "Delete Pet's Profile" });
  await expect(dialog).toContainText('\u2068Bramble\u2069 goes, with 1 note, on all your devices.');
  const download = a.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  expect((await download).suggestedFilename()).toMatch(/^pawpals-Bramble-.*[.]zip$/);
  await dialog.getByRole('button', { name: 'Delete' }).dblclick();
  await expect(a.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  await expect(a.getByRole('link', { name: 'Get started' })).toBeVisible();
  await expect(b.getByText('This dog was deleted')).toBeVisible();
  await a.goBack();
  await expect(a.getByText('This dog was deleted')).toBeVisible();
});

test('a dog deleted on one device while the other wrote to it offline: the note can be moved', async ({
  newDevice,
}) => {
  const email = newEmail();
  const a = await openWithPet(await newDevice(), 'Moss', email);
  await addPet(a, 'Bramble');
  await expectSynced(a);
  const deviceB = await newDevice();
  const b = await deviceB.open('/auth/login');
  await signIn(b, email);
  await openPet(b, 'Bramble');
  await expectSynced(b);

  await goOffline(b);
  await writeNote(b, 'written where there is no signal');
  await openAction(a, 'Delete Profile');
  // The deletion has to reach the server first; otherwise the note would be kept on A.
  const deleted = a.waitForResponse(/documents:commit/);
  await a.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(a.getByRole('link', { name: /Moss/ })).toBeVisible();
  await deleted;
  await expectSynced(a);

  await deviceB.context.setOffline(false);
  await expect(b.getByText('This dog was deleted')).toBeVisible();
  await expect(status(b)).not.toHaveText(/Synced|Syncing|waiting/i);
  await b.getByRole('button', { name: /Sync details/ }).click();
  const sheet = b.getByRole('dialog');
  await expect(sheet).toContainText('written where there is no signal');
  await expect(sheet).toContainText('Its dog was deleted on another device.');
  await expect(sheet.getByRole('button', { name: 'Discard' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Move to Moss' }).click();
  await b.keyboard.press('Escape');
  await expectSynced(b);
  await openPet(a, 'Moss');
  await expect(journal(a).getByText('written where there is no signal')).toHaveCount(1);
});

const longName = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissen'.slice(0, 60);

test('a long name of one word widens no page, at 320 px and with the text twice as large', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice(), longName);
  await page.setViewportSize({ width: 320, height: 568 });
  await expect(page.getByRole('link', { name: 'Get started' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Write a note' })).toBeInViewport({ ratio: 1 });
  await writeNote(page, 'x'.repeat(300));
  const pet = new URL(page.url()).pathname.replace('/profile', '');
  const paths = ['profile', 'actions', 'delete'].map((name) => `${pet}/${name}`);
  const actions = ['set-breed', 'set-dob', 'add-note', 'add-voice-note', 'share', 'edit-details'];
  paths.push(...actions.map((name) => `${pet}/actions/${name}`), '/pets', '/pets/new');

  const sizes = [
    [320, 16],
    [640, 32],
    [1280, 32],
  ] as const;
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const [width, fontPx] of sizes) {
      await page.setViewportSize({ width, height: 640 });
      await page.evaluate((px) => {
        document.documentElement.style.fontSize = `${px}px`;
      }, fontPx);
      // A page takes more than one frame to adapt to its new size.
      await expect
        .poll(() => sidewaysOverflow(page), `${path} at ${width} px, ${fontPx} px text`)
        .toEqual([]);
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${pet}/profile`);
  const heading = page.getByRole('heading', { level: 1, name: longName });
  await expect(heading).toBeVisible();
  const clipped = await heading.evaluate((h) => h.scrollHeight > h.clientHeight + 1);
  expect(clipped).toBe(false);
});

test('on a phone in landscape, with everything twice as large, the journal and the composer can both be reached', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await page.setViewportSize({ width: 422, height: 195 });
  await writeNote(page, 'read on its side');
  const written = note(page, 'read on its side');
  await scrollTo(written);
  await expect(written).toBeInViewport({ ratio: 1 });
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  await scrollTo(composer);
  await expect(composer).toBeInViewport({ ratio: 1 });
  await page.goto('/pets');
  await page.getByRole('link', { name: 'Bramble' }).click();
  await expect(written).toBeVisible();
});

/** Returns the horizontal places of texts within an element, from its left edge. */
function placesOf(element: Locator, texts: readonly string[]): Promise<readonly number[]> {
  return element.evaluate((node, wanted) => {
    const [text] = node.childNodes;
    if (!(text instanceof Text)) throw new Error('not one text');
    return wanted.map((each) => {
      const range = document.createRange();
      const start = text.data.indexOf(each);
      range.setStart(text, start);
      range.setEnd(text, start + each.length);
      return range.getBoundingClientRect().left;
    });
  }, texts);
}

test('sentences about a dog read from left to right, also if its name does not, which stays at its picture', async ({
  newDevice,
}) => {
  const name = 'ברק';
  const page = await openWithPet(await newDevice(), name);
  const heading = page.getByRole('heading', { level: 1, name });
  const line = await heading.boundingBox();
  expect(await heading.locator('bdi').boundingBox()).toMatchObject({ x: line?.x });
  await goOffline(page);
  await writeNote(page, 'Far out');
  await page.getByRole('button', { name: 'Sync details' }).click();
  const facts = page.getByRole('dialog').getByText(new RegExp(`${name}.* · `));
  const [time = ''] = /[0-9]+ second/.exec(await facts.innerText()) ?? [];
  const [dog = 0, when = 0] = await placesOf(facts, [name, time]);
  expect(dog).toBeLessThan(when);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('link', { name: 'Delete Profile' }).click();
  const sentence = page.getByRole('alertdialog').getByText('on all your devices.');
  const [of = 0, goes = 0] = await placesOf(sentence, [name, 'goes']);
  expect(of).toBeLessThan(goes);
});

test('on a low screen the form of the details scrolls, and the page around it does not', async ({
  newDevice,
}) => {
  const page = await openWithPet(await newDevice());
  await page.setViewportSize({ width: 390, height: 420 });
  await openAction(page, 'Edit Details');
  await expect(page.getByRole('button', { name: 'Save details' })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(420);
});

test('on a low screen, the placeholder of a journal that is being fetched ends above the composer', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  // Nothing is answered.
  await page.route(/documents/, () => undefined);
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  await page.setViewportSize({ width: 667, height: 375 });
  const placeholder = page.locator('[aria-busy]', { hasText: 'journal' });
  const bottomOfPlaceholder = () =>
    placeholder.evaluate((node) => node.getBoundingClientRect().bottom);
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  await expect
    .poll(() => bottomOfPlaceholder())
    .toBeLessThanOrEqual(await composer.evaluate((node) => node.getBoundingClientRect().top));
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(375);
});

test('a press on the first link outlives the end of the first fetch', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/register');
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/documents/, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await register(page, newEmail());
  await page.getByRole('link', { name: 'Add dog' }).hover();
  await page.mouse.down();
  answer();
  await expect(page.getByRole('link', { name: 'Get started' })).toBeVisible();
  await page.mouse.up();
  await expect(page.getByRole('textbox', { name: 'Pet Name' })).toBeVisible();
});
