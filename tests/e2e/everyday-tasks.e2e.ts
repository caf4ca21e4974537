import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { demoOwner } from '../../scripts/demo-owner/demo-owner.ts';
import { greyJpeg } from '../support/fixtures/made-pictures.ts';
import { expect } from './fixtures.ts';
import { composer, expectSynced, journal } from './owner.ts';
import { expectRecorded, heard, recordButton, stopButton, test, voiceNotes } from './voice.ts';

// A page that is left during an upload asks at its next start whether the file has arrived, which it may not have.
test.use({ expectedErrors: /status of 404 .*\/v0\/b\// });

/** One hand on a phone. Typing is not counted as taps, nor is a choice in a system dialog. */
interface Hand {
  readonly tap: (target: Locator) => Promise<void>;
  readonly type: (box: Locator, text: string) => Promise<void>;
}

interface Done {
  readonly taps: number;
  readonly seconds: number;
}

const phone = { width: 390, height: 844 };

async function doTask(work: (hand: Hand) => Promise<void>): Promise<Done> {
  let taps = 0;
  const startMs = performance.now();
  await work({
    tap: async (target) => {
      taps += 1;
      await target.click();
    },
    type: (box, text) => box.fill(text),
  });
  return { taps, seconds: (performance.now() - startMs) / 1_000 };
}

/** Returns the numbers of taps in docs/tasks.md, in the order of its rows. */
async function documentedTaps(): Promise<readonly number[]> {
  const text = await readFile(new URL('../../docs/tasks.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| \d+\. /.test(line));
  return rows.map((row) => Number(row.split('|')[3]));
}

async function signInAsDemo(page: Page, hand: Hand): Promise<void> {
  await hand.tap(page.getByRole('textbox', { name: 'Email' }));
  await hand.type(page.getByRole('textbox', { name: 'Email' }), demoOwner.email);
  await hand.tap(page.getByLabel('Password', { exact: true }));
  await hand.type(page.getByLabel('Password', { exact: true }), demoOwner.password);
  await hand.tap(page.getByRole('button', { name: 'Sign in', exact: true }));
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
}

/** Each task begins at the list of dogs, which the test opens without a counted tap. */
const tasks: readonly ((page: Page, hand: Hand) => Promise<void>)[] = [
  async (page, { tap, type }) => {
    await tap(page.getByRole('link', { name: 'Add dog' }));
    await type(page.getByRole('textbox', { name: 'Pet Name' }), 'Wren');
    await tap(page.getByRole('button', { name: 'Create pet' }));
    await tap(page.getByRole('link', { name: 'Add Breed' }));
    await tap(page.getByText('Vizsla', { exact: true }));
    await tap(page.getByRole('button', { name: 'Save breed' }));
    await tap(page.getByRole('link', { name: 'Add Birthday' }));
    await tap(page.getByLabel('Date of Birth'));
    await type(page.getByLabel('Date of Birth'), '2025-04-17');
    await tap(page.getByRole('button', { name: 'Save date of birth' }));
    await expect(page.getByText(/^Vizsla\s· \d+\s/)).toBeVisible();
  },
  async (page, { tap, type }) => {
    await tap(page.getByRole('link', { name: /Moss/ }));
    await tap(composer(page));
    await type(composer(page), 'Swam across and back.');
    await tap(page.getByRole('button', { name: 'Send' }));
    await expect(journal(page).getByText('Swam across and back.')).toBeVisible();
  },
  async (page, { tap }) => {
    await tap(page.getByRole('link', { name: /Teal/ }));
    await tap(recordButton(page));
    await expectRecorded(page, 2);
    await tap(stopButton(page));
    await expect(page.getByText(/^With your recording/)).toBeVisible();
    // It takes the place of the microphone, and its focus.
    await expect(page.getByRole('button', { name: 'Send' })).toBeFocused();
    await tap(page.getByRole('button', { name: 'Send' }));
    await expect(voiceNotes(page).filter({ hasText: heard })).toBeVisible();
  },
  async (page, { tap, type }) => {
    await tap(page.getByRole('link', { name: /Moss/ }));
    await tap(journal(page).getByText('Swam across and back.'));
    await tap(page.getByRole('link', { name: 'Edit' }));
    await type(page.getByRole('textbox', { name: 'Note' }), 'Swam across the river and back.');
    await tap(page.getByRole('button', { name: 'Save', exact: true }).last());
    await expect(page.getByRole('heading', { name: 'Note', exact: true })).toBeVisible();
    await expect(page.getByText('Swam across the river and back.')).toBeVisible();
  },
  async (page, { tap, type }) => {
    await tap(page.getByRole('link', { name: 'Search' }));
    await type(page.getByRole('searchbox', { name: 'Search the journal' }), 'firework');
    const hit = page.getByRole('list', { name: 'Entries' }).getByRole('link').first();
    const text = (await hit.locator('mark').first().textContent()) ?? '';
    await tap(hit);
    await expect(journal(page).getByText(new RegExp(text)).first()).toBeVisible();
  },
  async (page, { tap }) => {
    await tap(page.getByRole('link', { name: /Moss/ }));
    await tap(journal(page).getByText('Swam across the river and back.'));
    await tap(page.getByRole('button', { name: 'Delete' }));
    await tap(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
    await tap(page.getByRole('button', { name: 'Undo' }));
    await expect(journal(page).getByText('Swam across the river and back.')).toBeVisible();
  },
  async (page, { tap }) => {
    const buffer = greyJpeg(640, 640);
    await tap(page.getByRole('button', { name: /Teal/ }));
    await tap(page.getByRole('menuitem', { name: 'Change Profile Picture' }));
    const choosing = page.waitForEvent('filechooser');
    await tap(page.getByRole('button', { name: /Choose a picture/ }));
    await (await choosing).setFiles({ name: 'teal.jpg', mimeType: 'image/jpeg', buffer });
    await tap(page.getByRole('button', { name: 'Save picture' }));
    await expect(
      page.getByRole('listitem').filter({ hasText: 'Teal' }).locator('img'),
    ).toBeVisible();
  },
  async (page, { tap }) => {
    await tap(page.getByRole('button', { name: 'Menu' }));
    await tap(page.getByRole('link', { name: 'Settings' }));
    const download = page.waitForEvent('download');
    await tap(page.getByRole('button', { name: 'Export', exact: true }));
    expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  },
];

test('everyday tasks take as many taps as docs/tasks.md says', async ({ newDevice }) => {
  test.slow();
  const page = await (await newDevice()).open('/auth/login');
  await page.setViewportSize(phone);
  await doTask((hand) => signInAsDemo(page, hand));
  await expectSynced(page);
  const done: Done[] = [];
  for (const task of tasks) {
    await page.goto('/pets');
    await expect(page.getByRole('link', { name: /Bramble/ })).toBeVisible();
    done.push(await doTask((hand) => task(page, hand)));
  }
  await expectSynced(page);

  const second = await (await newDevice()).open('/auth/login');
  await second.setViewportSize(phone);
  done.push(
    await doTask(async (hand) => {
      await signInAsDemo(second, hand);
      await expect(second.getByRole('link', { name: /Wren/ })).toBeVisible();
    }),
  );
  await page.goto('/pets');
  done.push(
    await doTask(async ({ tap }) => {
      await tap(page.getByRole('button', { name: 'Menu' }));
      await tap(page.getByRole('button', { name: 'Sign Out' }));
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    }),
  );
  const waits = done.map(({ seconds }) => seconds.toFixed(1)).join(', ');
  test.info().annotations.push({ type: 'seconds of the app', description: waits });
  expect(done.map(({ taps }) => taps)).toEqual(await documentedTaps());
});
