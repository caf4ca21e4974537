import { createSyncEngine } from '../../replication/documents/sync-engine.ts';
import type { RemoteDocuments } from '../../replication/ports.ts';
import { openDatabase, type PawPalsDatabase } from '../../store/rxdb/database.ts';
import { raiseStores } from '../../store/indexeddb/raise-stores.ts';
import { eraseDatabase } from '../../store/erase.ts';
import { createRxDocumentStore } from '../../store/rxdb/rx-document-store.ts';
import type { LocalDocument } from '../../schemas/documents/document.ts';
import { openOwnerSession, type OwnerSession } from '../../src/app/session/owner-session.ts';
import { newId } from '../../src/platform/new-id.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { inPieces } from './entries.ts';

function failOnReadError(error: unknown): never {
  throw error;
}

/** Opens the owner's data like the app, without sync. */
export function openSession(uid: string): Promise<OwnerSession> {
  return openOwnerSession({
    uid,
    visit: {},
    log: () => undefined,
    onActivity: () => undefined,
    onPageResumed: () => undefined,
    onReadError: failOnReadError,
    loadRemoteFiles: () => Promise.reject(new Error('The bench fetches no pictures')),
    loadTranscriber: () => Promise.reject(new Error('The bench listens to nothing')),
    loadSync: () => Promise.reject(new Error('The bench does not start sync by itself')),
    readOrganizations: () => Promise.resolve([]),
  });
}

/** Runs work on the owner's open database, then closes it. */
export async function withDatabase<Result>(
  uid: string,
  work: (database: PawPalsDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ uid, raise: raiseStores });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Like {@link withDatabase}, on an empty database that is erased afterwards. */
export async function withNewDatabase<Result>(
  uid: string,
  work: (database: PawPalsDatabase) => Promise<Result>,
): Promise<Result> {
  await eraseDatabase(uid);
  try {
    return await withDatabase(uid, work);
  } finally {
    await eraseDatabase(uid);
  }
}

const fillPieceSize = 500;

/** Stores documents as they are, like sync. */
export async function fill(
  database: PawPalsDatabase,
  documents: readonly LocalDocument[],
): Promise<void> {
  const store = createRxDocumentStore(database);
  for (const collection of ['pets', 'entries'] as const) {
    const own = documents.filter((document) => document.collection === collection);
    for (const piece of inPieces(own, fillPieceSize)) {
      const isFilled = await store.commit({ swaps: piece.map((to) => ({ from: null, to })) });
      if (!isFilled) throw new Error('The database was not empty');
    }
  }
}

/** Syncs once to its end. @throws if a problem ended it early. */
export async function syncOnce(database: PawPalsDatabase, remote: RemoteDocuments) {
  const store = createRxDocumentStore(database);
  const engine = createSyncEngine({
    openPorts: () => ({ store, remote }),
    clock: systemClock,
    newId,
    log: () => undefined,
  });
  const outcome = await engine.run(new AbortController().signal);
  if (outcome.kind !== 'none') throw new Error(`Sync ended with ${outcome.problem ?? 'nothing'}`);
  return outcome;
}
