import type { FileBytes } from '../../schemas/local/file-bytes.ts';
import type { OutboxKind } from '../../schemas/local/outbox-job.ts';
import type { RecordingChunk, StoredRecording } from '../../schemas/documents/voice-note.ts';
import type { PawPalsDatabase } from './database.ts';
import { beyondRoom, type FileStore, type ListedBytes } from '../file-store.ts';
import { bytesIndex, findNeeded, startingWith } from '../file-stores.ts';
import { liveRead } from './live-read.ts';
import { answerOf, eachOf, writeTo } from '../indexeddb/requests.ts';
import { placeOf } from './rx-storage.ts';

/** Lists the bytes of a kind, least recently used first. */
async function listAll(bytes: IDBObjectStore, kind: OutboxKind): Promise<readonly ListedBytes[]> {
  const found: ListedBytes[] = [];
  const ofKind = bytes.index(bytesIndex).openKeyCursor(startingWith(kind));
  await eachOf(ofKind, ({ key, primaryKey }) => {
    // The columns of the index, and the key of the store.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const [, usedAtMs, byteLength, documentId] = key as [string, number, number, string];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    found.push({ id: primaryKey as string, documentId, usedAtMs, byteLength });
  });
  return found;
}

const kinds = ['profile-picture', 'voice-note'] as const;

export function createFileStore(database: PawPalsDatabase): FileStore {
  const stores = placeOf(database.local).database;

  const put = async (store: string, value: object): Promise<void> => {
    await writeTo(stores, store, (transaction) =>
      answerOf(transaction.objectStore(store).put(value)),
    );
  };

  /** Begins a read-only transaction. */
  const read = (...names: readonly [string, ...string[]]): IDBTransaction =>
    stores.transaction(names, 'readonly');

  return {
    read: async (id) =>
      (await answerOf<FileBytes | undefined>(read('bytes').objectStore('bytes').get(id))) ?? null,
    list: (kind) => listAll(read('bytes').objectStore('bytes'), kind),
    touch: (id, usedAtMs) =>
      writeTo(stores, 'bytes', async (transaction) => {
        const bytes = transaction.objectStore('bytes');
        const found = await answerOf<FileBytes | undefined>(bytes.get(id));
        if (found !== undefined) await answerOf(bytes.put({ ...found, usedAtMs }));
      }),
    // One transaction, so that bytes that a new job needs stay.
    evictLeastRecentlyUsed: ({ maxBytes, withoutPets = new Set() }) =>
      writeTo(stores, ['bytes', 'local'], async (transaction) => {
        const bytes = transaction.objectStore('bytes');
        const needed = await findNeeded(transaction);
        for (const kind of kinds) {
          const room = { maxBytes: maxBytes[kind], withoutPets };
          const gone = beyondRoom(await listAll(bytes, kind), needed, room);
          await Promise.all(gone.map(async (id) => answerOf(bytes.delete(id))));
        }
      }),
    watch: (readAgain, isConcerned) =>
      liveRead(database.local, { stores: ['local', 'bytes'], isConcerned, read: readAgain }),

    beginRecording: (recording) => put('recordings', recording),
    addPiece: (piece) => put('chunks', piece),
    listRecordings: () =>
      answerOf<StoredRecording[]>(read('recordings').objectStore('recordings').getAll()),
    readRecording: async (id) => {
      const transaction = read('recordings', 'chunks');
      const recordings = transaction.objectStore('recordings');
      const recording = await answerOf<StoredRecording | undefined>(recordings.get(id));
      if (recording === undefined) return null;
      const pieces = transaction.objectStore('chunks').getAll(startingWith(id));
      return { recording, pieces: await answerOf<RecordingChunk[]>(pieces) };
    },
  };
}
