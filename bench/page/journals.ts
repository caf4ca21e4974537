import { eraseDatabase } from '../../store/erase.ts';
import { asSynced, newEntries, newPet } from './entries.ts';
import { fill, withDatabase } from './our-database.ts';
import { eraseRaw, openRaw, toRawRows } from './raw-database.ts';

/** Names a journal of a given size, which stays in the browser's profile between pages. */
export function ownerOf(stored: number): string {
  return `bench-${stored}`;
}

export function rawNameOf(stored: number): string {
  return `raw-${stored}`;
}

/** Fills both databases with the same documents. */
export async function prepareJournal(stored: number): Promise<void> {
  await eraseDatabase(ownerOf(stored));
  await eraseRaw(rawNameOf(stored));
  const documents = asSynced([newPet(Date.now()), ...newEntries(stored)], 1);
  await withDatabase(ownerOf(stored), (database) => fill(database, documents));
  const raw = await openRaw(rawNameOf(stored));
  await raw.put(toRawRows(documents.slice(1)), 'strict');
  raw.close();
}
