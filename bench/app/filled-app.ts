import { openFirestoreClient } from '../../tests/support/servers/firestore-client.ts';
import {
  journal,
  newEmail,
  openPet,
  signIn,
  status,
  waitForOfflineReady,
} from '../../tests/e2e/owner.ts';
import type { LocalDocument } from '../../schemas/documents/document.ts';
import { wordsOfNote } from '../data/journal-words.ts';
import { pushAll } from '../backend/pull-pages.ts';
import { newEntries, newPet } from '../page/entries.ts';
import { openProfile } from '../run/browser.ts';

/** The app with the journal of one dog, synced and ready to go offline. */
export interface AppOnDevice {
  readonly url: string;
  readonly profile: string;
  readonly journalPath: string;
  /** The path of the script that watches the pages. */
  readonly recorder: string;
}

export interface FilledAppRequest {
  /** The URL of the backend, which serves the app. */
  readonly url: string;
  readonly profile: string;
  readonly recorder: string;
  readonly count: number;
}

/** Adds words of its own to an entry, so that a search can find it. */
function withWords(entry: LocalDocument, index: number): LocalDocument {
  const { text = '' } = entry.fields;
  return { ...entry, fields: { ...entry.fields, text: `${text} ${wordsOfNote(index)}` } };
}

const patienceMs = 120_000;

export async function openFilledApp(request: FilledAppRequest): Promise<AppOnDevice> {
  const { url, profile, recorder, count } = request;
  const email = newEmail();
  const pet = newPet(Date.now());
  const client = await openFirestoreClient({ url, email, isNew: true });
  await pushAll(client, [pet, ...newEntries(count).map(withWords)]);
  await client.close();

  const context = await openProfile(profile, { baseURL: url, hasWorker: true });
  try {
    const page = await context.newPage();
    await signIn(page, email);
    await openPet(page, 'Bramble');
    await journal(page).getByRole('listitem').first().waitFor({ timeout: patienceMs });
    await status(page).getByText('Synced').waitFor({ timeout: patienceMs });
    await waitForOfflineReady(page);
    return { url, profile, recorder, journalPath: new URL(page.url()).pathname };
  } finally {
    await context.close();
  }
}
