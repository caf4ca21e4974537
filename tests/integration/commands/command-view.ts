import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { readFormerTexts } from '../../../schemas/documents/former-texts.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import type { Fields } from '../../../schemas/documents/sync-state.ts';
import type { RunningApp } from './command-device.ts';
import { soundToken } from './command-ledger.ts';

/** The tokens of pictures, by the hash of their bytes. */
export type PictureTokens = ReadonlyMap<string, string>;

const textFields = ['name', 'description', 'text'] as const;

/** Returns the tokens in a document's fields, whether or not a device shows the document. */
export function tokensOf(
  { fields }: { readonly fields: Fields },
  pictures: PictureTokens,
): readonly string[] {
  const former = readFormerTexts(fields['formerTexts']).map(({ text }) => text);
  const shown = textFields.map((name) => fields[name]).filter((value) => value !== undefined);
  const texts = [...shown, ...former];
  const sounds = fields['type'] === 'voice-note' ? [soundToken(fields['durationMs'])] : [];
  const picture = pictures.get(String(fields['profilePictureVersion']));
  return [...texts.map(String), ...sounds, ...(picture === undefined ? [] : [picture])];
}

export async function petsOn({ database }: RunningApp): Promise<readonly LocalDocument[]> {
  const rows = await database.pets.find().exec();
  return rows.map((row) => ({ ...row.toMutableJSON(), collection: 'pets' }));
}

export async function entriesOn({ database }: RunningApp): Promise<readonly LocalDocument[]> {
  const rows = await database.journal_entries.find().exec();
  return rows.map((row) => ({ ...row.toMutableJSON(), collection: 'entries' }));
}

export async function versionsOn({
  store,
}: RunningApp): Promise<ReadonlyMap<string, ConflictVersion>> {
  const found = new Map<string, ConflictVersion>();
  for (const [id, record] of await store.listRecords('conflict-version')) {
    if (record.kind === 'conflict-version') found.set(id, record);
  }
  return found;
}

/** Returns the live dogs that no job is about to delete, as My Dogs shows them. */
export async function shownPets(app: RunningApp): Promise<readonly LocalDocument[]> {
  const jobs = [...(await app.store.listRecords('delete-pet')).values()];
  const going = new Set(jobs.map((job) => (job.kind === 'delete-pet' ? job.petId : '')));
  return (await petsOn(app)).filter(({ deleted, id }) => !deleted && !going.has(id));
}

/** Returns the live entries of dogs that are shown. */
export async function shownEntries(app: RunningApp): Promise<readonly LocalDocument[]> {
  const petIds = new Set((await shownPets(app)).map(({ id }) => id));
  const entries = await entriesOn(app);
  return entries.filter(({ deleted, petId }) => !deleted && petIds.has(petId ?? ''));
}

export async function parkedOn(app: RunningApp): Promise<readonly LocalDocument[]> {
  const all = [...(await petsOn(app)), ...(await entriesOn(app))];
  return all.filter(({ pending }) => pending === 2);
}

/**
 * Returns the picture that this device shows for a dog: one that waits for its upload, else the one that the document
 * names.
 */
export async function shownPicture(
  { outbox }: RunningApp,
  pet: LocalDocument,
  pictures: PictureTokens,
): Promise<readonly string[]> {
  const jobs = await outbox.queue.list();
  const waiting = jobs.find(({ kind, petId }) => kind === 'profile-picture' && petId === pet.id);
  const token = pictures.get(waiting?.md5 ?? String(pet.fields['profilePictureVersion']));
  return token === undefined ? [] : [token];
}
