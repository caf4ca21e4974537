import type { Hands } from './hands.ts';
import { box, button, heading, link, type Target } from './look.ts';
import { until } from './until.ts';

/** The actions that every walk has in common. */

const password = 'Walkies-4-all';

export const composer = box('Write a note');
const journal: Target = { css: '[aria-label=Journal]' };
export const notes: Target = { css: 'a[href*="/notes/"]', within: journal };
export const voiceNote: Target = { css: '[role=group][aria-label="Voice note"]', within: journal };
const status: Target = { css: '[role=status][aria-label="Sync status"]' };
const unsent: Target = { css: '*', name: 'Saving|On this device|Uploading', within: journal };

export const newEmail = (): string => `owner-${crypto.randomUUID()}@example.com`;

export async function register(hands: Hands, email: string): Promise<void> {
  await hands.fill(box('Email'), email);
  await hands.fill(box('Password'), password);
  await hands.fill(box('Confirm Password'), password);
  await hands.click(button('Sign up'));
  await hands.sees(heading('My Dogs'));
}

export async function signIn(hands: Hands, email: string): Promise<void> {
  await hands.fill(box('Email'), email);
  await hands.fill(box('Password'), password);
  await hands.click(button('Sign in'));
  await hands.sees(heading('My Dogs'));
}

/** Leaves the page at the new dog's profile. */
export async function addPet(hands: Hands, name: string): Promise<void> {
  await hands.click(link('Add dog|Get started'));
  await hands.fill(box('Pet Name'), name);
  await hands.click(button('Save'), 2);
  await hands.sees(heading(name));
  await hands.sees(composer);
}

export async function openPet(hands: Hands, name: string): Promise<void> {
  await hands.click(link(`.*${name}.*`));
  await hands.sees(composer);
}

export async function writeNote(hands: Hands, text: string): Promise<void> {
  await hands.fill(composer, text);
  await hands.page.press('Enter');
  // It is durable once it is no longer being saved, and leads to a page of its own.
  await hands.sees({ ...notes, text });
  await hands.seesNo({ css: '*', name: 'Saving', within: journal });
}

export async function expectStatus(hands: Hands, text: string): Promise<void> {
  await hands.seesTexts(status, [text]);
}

/** Also what was written a moment ago: the status may still be that of before it. */
export async function expectSynced(hands: Hands): Promise<void> {
  await hands.seesNo(unsent);
  await expectStatus(hands, 'Synced');
}

/** The worker has the whole app and answers this page, so that nothing of it needs a network. */
export async function waitForOfflineReady(hands: Hands): Promise<void> {
  const { page } = hands;
  await until('a worker that is active', () =>
    page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      return active?.state === 'activated' ? true : null;
    }),
  );
  const isAnswered = await page.evaluate(() => navigator.serviceWorker.controller !== null);
  // A worker may not see a page that was still loading when it took over.
  if (!isAnswered) await page.goto(await page.evaluate(() => location.href));
}

/** From the list of dogs. */
export async function signOut(hands: Hands): Promise<void> {
  await hands.click(button('Menu'));
  await hands.click(button('Sign Out'));
  await hands.sees(heading('Sign in'));
}
