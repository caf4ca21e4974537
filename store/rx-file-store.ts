import { Dexie } from 'dexie';
import { bytesHolders, neededBytes } from '../schemas/file-bytes.ts';
import type { OutboxKind } from '../schemas/outbox-job.ts';
import { fileStoresOf, type PawPalsDatabase } from './database.ts';
import { beyondRoom, type FileStore, type ListedBytes } from './file-store.ts';
import { bytesIndex, type FileStores } from './file-stores.ts';
import { liveRead } from './live-read.ts';

async function listAll({ bytes }: FileStores, kind: OutboxKind): Promise<readonly ListedBytes[]> {
  const ofKind = bytes.where(bytesIndex).between([kind, Dexie.minKey], [kind, Dexie.maxKey]);
  const [keys, ids] = [await ofKind.keys(), await ofKind.primaryKeys()];
  return ids.map((id, at) => {
    const key: unknown = keys[at];
    const [, usedAtMs, byteLength, documentId] = Array.isArray(key) ? key : [];
    const size = { usedAtMs: Number(usedAtMs), byteLength: Number(byteLength) };
    return { id, documentId: String(documentId), ...size };
  });
}

const kinds = ['profile-picture', 'voice-note'] as const;

export function createFileStore(database: PawPalsDatabase): FileStore {
  const stores = fileStoresOf(database);
  const { bytes, recordings, chunks, local } = stores;

  return {
    read: async (id) => (await bytes.get(id)) ?? null,
    list: (kind) => stores.transaction('r', bytes, () => listAll(stores, kind)),
    touch: async (id, usedAtMs) => {
      await bytes.update(id, { usedAtMs });
    },
    // In one transaction: bytes that a job comes to need meanwhile stay.
    makeRoom: ({ maxBytes, withoutPets = new Set() }) =>
      stores.transaction('rw', bytes, local, async () => {
        const rows = await local.where('kind').anyOf(bytesHolders).toArray();
        const needed = neededBytes(rows.map(({ data }) => data));
        for (const kind of kinds) {
          const room = { maxBytes: maxBytes[kind], withoutPets };
          await bytes.bulkDelete([...beyondRoom(await listAll(stores, kind), needed, room)]);
        }
      }),
    watch: (read, isConcerned) =>
      liveRead(database.local, { stores: ['local', 'bytes'], isConcerned, read }),

    beginRecording: async (recording) => {
      await recordings.put(recording);
    },
    addPiece: async (piece) => {
      await chunks.put(piece);
    },
    listRecordings: () => recordings.toArray(),
    readRecording: (id) =>
      stores.transaction('r', recordings, chunks, async () => {
        const recording = await recordings.get(id);
        if (recording === undefined) return null;
        const own = chunks
          .where('[recordingId+index]')
          .between([id, Dexie.minKey], [id, Dexie.maxKey]);
        return { recording, pieces: await own.toArray() };
      }),
  };
}
