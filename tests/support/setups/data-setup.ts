import { vi } from 'vitest';
import { runDeletePetJob } from '../../../replication/documents/push/delete-pet-job.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import { createRxDocumentStore } from '../../../store/rxdb/rx-document-store.ts';
import type { LocalDocument } from '../../../schemas/documents/document.ts';
import type { Commands } from '../../../src/data/commands/commands.ts';
import { createCommands } from '../../../src/data/commands/rx-commands.ts';
import type { Files } from '../../../src/data/files/files.ts';
import { createQueries } from '../../../src/data/queries/rx-queries.ts';
import type { Live } from '../../../src/lib/async/live.ts';
import { newId } from '../../../src/platform/new-id.ts';
import { fakeFiles } from '../fakes/fake-files.ts';
import { openTestDatabase } from './test-database.ts';

export const nowMs = 1_700_000_000_000;

/** Opens commands and queries of one owner on the real local database. */
export async function setUpData(
  fileCommands: Partial<Files> = {},
  uid = 'owner',
  deviceNowMs = nowMs,
) {
  const database = await openTestDatabase();
  const store = createRxDocumentStore(database);
  const onWritten = vi.fn<() => void>();
  const onNoteKept = vi.fn<() => void>();
  const onReadError = vi.fn<(error: unknown) => void>();
  let newest: Commands | null = null;
  const commands: Commands = createCommands({
    uid,
    store,
    now: () => deviceNowMs,
    correctedNow: () => nowMs,
    newId,
    beginDeletePetJob: (petId) => runDeletePetJob(store, petId),
    onWritten,
    onNoteKept,
    newest: async () => newest ?? commands,
  });
  /** Lets the session that these commands belong to be opened anew, with others. */
  const reopenAs = (others: Commands): void => void (newest = others);
  const files = fakeFiles(fileCommands);
  const queries = createQueries({ collections: database, files, onReadError });
  return { files, database, store, commands, reopenAs, queries, onWritten, onNoteKept };
}

/** Watches a live value until the check passes. */
export async function expectLive<T>(live: Live<T>, check: (value: T) => void): Promise<void> {
  const stop = live.subscribe(() => undefined);
  await vi.waitFor(() => {
    const value = live.getSnapshot();
    if (value === undefined) throw new Error('Nothing has been read yet');
    check(value);
  });
  stop();
}

/** Writes a document without the commands, as sync does. */
export async function change(
  store: DocumentStore,
  ref: { collection: 'pets' | 'entries'; id: string },
  next: (document: LocalDocument) => LocalDocument,
): Promise<void> {
  const stored = (await store.get(ref.collection, [ref.id])).get(ref.id);
  if (!stored) throw new Error('not there');
  await store.commit({ swaps: [{ from: stored, to: next(stored.document) }] });
}

/** Returns a document in its state after the server has accepted it. */
export const clean =
  (seq: number) =>
  (document: LocalDocument): LocalDocument => ({
    ...document,
    pending: 0,
    seq,
    base: null,
  });
