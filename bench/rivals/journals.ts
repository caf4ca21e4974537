import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFirestoreClient, password } from '../../tests/support/servers/firestore-client.ts';
import { pushAll } from '../backend/pull-pages.ts';
import { newEntries, newPet } from '../page/entries.ts';
import type { Journal } from '../page/rivals/rivals-page.ts';
import { startBackend } from '../run/backend-process.ts';

const firestoreRules = fileURLToPath(new URL('open.rules', import.meta.url));

/** Runs work with a server of its own that holds one journal of that size. */
export async function withJournal<Result>(
  folder: string,
  { name, count }: { readonly name: string; readonly count: number },
  work: (journal: Journal) => Promise<Result>,
): Promise<Result> {
  const backend = await startBackend({ dataDir: join(folder, name), firestoreRules });
  try {
    const { url } = backend;
    const email = `${name}@example.com`;
    const client = await openFirestoreClient({ url, email, isNew: true });
    await pushAll(client, [newPet(Date.now()), ...newEntries(count)]);
    await client.close();
    return await work({ url, email, password, count });
  } finally {
    await backend.stop();
  }
}
