import { Dexie, type Table } from 'dexie';
import type { CachedPicture, OutboxJob } from '../../schemas/outbox-job.ts';
import type { CachedAudio, RecordingChunk, StoredRecording } from '../../schemas/voice-note.ts';
import { databaseName } from '../../store/stores.ts';

/** The bytes of a job. The token tells them from those of a job before it under the same id. */
export interface JobBytes {
  readonly id: string;
  readonly token: string;
  readonly bytes: ArrayBuffer;
}

/**
 * Files of one owner on this device, in an IndexedDB database of its own.
 *
 * - Opened alike by every tab and by the worker.
 * - Strict durability: a resolved write has reached the disk.
 * - Its name begins as those of the owner's other databases do, and is erased with them.
 * - Erased by another tab, it stays closed: a database that opens itself again would outlive the sign-out.
 */
export interface OutboxDatabase extends Dexie {
  readonly jobs: Table<OutboxJob, string>;
  readonly bytes: Table<JobBytes, string>;
  readonly pictures: Table<CachedPicture, string>;
  readonly recordings: Table<StoredRecording, string>;
  /** By recording and index. */
  readonly chunks: Table<RecordingChunk, [string, number]>;
  readonly audios: Table<CachedAudio, string>;
}

/** When each picture or recording was used last, and its size. */
export const useIndex = '[usedAtMs+byteLength]';

export function outboxDatabaseName(uid: string): string {
  return `${databaseName(uid)}--outbox`;
}

export function openOutboxDatabase(uid: string): OutboxDatabase {
  const database = new Dexie(outboxDatabaseName(uid), { chromeTransactionDurability: 'strict' });
  database.version(1).stores({
    jobs: 'id, createdAtMs',
    bytes: 'id',
    pictures: `petId, ${useIndex}`,
  });
  database.version(2).stores({
    recordings: 'id',
    chunks: '[recordingId+index]',
    audios: `objectName, entryId, ${useIndex}`,
  });
  database.on('versionchange', () => {
    database.close({ disableAutoOpen: true });
    // Dexie's own answer would let it open again.
    return false;
  });
  // Dexie adds a table for each store that was declared above.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return database as OutboxDatabase;
}
