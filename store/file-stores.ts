import { bytesHolders, neededBytes } from '../schemas/local/file-bytes.ts';
import type { LocalRecordRow } from '../schemas/local/local-record.ts';
import { answerOf } from './indexeddb/requests.ts';

/** The index that has all properties of bytes that are needed without reading them. */
export const bytesIndex = '[kind+usedAtMs+byteLength+documentId]';

/**
 * The stores of bytes (`FileBytes`), recordings in progress (`StoredRecording`) and their pieces (`RecordingChunk`),
 * and of the search index (`search-store.ts`), which RxDB does not know. In Dexie's syntax: the primary key, then the
 * indexes.
 */
export const fileStoreSchemas = {
  bytes: `id, ${bytesIndex}`,
  recordings: 'id',
  chunks: '[recordingId+index]',
  search: 'id',
} as const;

/** Returns the range of array keys that begin with that value: an array sorts after all numbers and strings. */
export function startingWith(first: string): IDBKeyRange {
  return IDBKeyRange.bound([first], [first, []]);
}

/** Returns the ids of bytes that a record needs. @param transaction includes at least the store of records. */
export async function findNeeded(transaction: IDBTransaction): Promise<ReadonlySet<string>> {
  const byKind = transaction.objectStore('local').index('kind');
  const rows = await Promise.all(
    bytesHolders.map(async (kind) => answerOf<LocalRecordRow[]>(byKind.getAll(kind))),
  );
  return neededBytes(rows.flat().map(({ data }) => data));
}
