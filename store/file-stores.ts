import type { Dexie, Table } from 'dexie';
import type { CachedPicture, OutboxJob } from '../schemas/outbox-job.ts';
import type { CachedAudio, RecordingChunk, StoredRecording } from '../schemas/voice-note.ts';

/** The bytes of a job. The token tells them from those of a job before it under the same id. */
export interface JobBytes {
  readonly id: string;
  readonly token: string;
  readonly bytes: ArrayBuffer;
}

/** Files of one owner on this device: object stores of the owner's database that RxDB does not know. */
export interface FileStores extends Dexie {
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

/** In Dexie's syntax: the primary key, then the indexes. */
export const fileStoreSchemas: Readonly<Record<string, string>> = {
  jobs: 'id, createdAtMs',
  bytes: 'id',
  pictures: `petId, ${useIndex}`,
  recordings: 'id',
  chunks: '[recordingId+index]',
  audios: `objectName, entryId, ${useIndex}`,
};
