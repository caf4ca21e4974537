import type { Dexie, Table } from 'dexie';
import type { FileBytes } from '../schemas/file-bytes.ts';
import type { LocalRecordRow } from '../schemas/local-record.ts';
import type { RecordingChunk, StoredRecording } from '../schemas/voice-note.ts';

/** The stores of one owner's database that Dexie reads: bytes and recordings, which RxDB does not know, and records. */
export interface FileStores extends Dexie {
  readonly bytes: Table<FileBytes, string>;
  readonly recordings: Table<StoredRecording, string>;
  /** By recording and index. */
  readonly chunks: Table<RecordingChunk, [string, number]>;
  /** As RxDB stores them. */
  readonly local: Table<LocalRecordRow, string>;
}

/** All that is to be known of bytes without reading them. */
export const bytesIndex = '[kind+usedAtMs+byteLength+documentId]';

/** In Dexie's syntax: the primary key, then the indexes. */
export const fileStoreSchemas = {
  bytes: `id, ${bytesIndex}`,
  recordings: 'id',
  chunks: '[recordingId+index]',
} as const;
