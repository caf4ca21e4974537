import { isOther, neededBytes, type FileBytes } from '../../../schemas/local/file-bytes.ts';
import type { LocalRecord } from '../../../schemas/local/local-record.ts';
import type { RecordingChunk, StoredRecording } from '../../../schemas/documents/voice-note.ts';
import type { Writes } from '../../../store/document-store.ts';
import { beyondRoom, type FileStore } from '../../../store/file-store.ts';

export interface MemoryFiles extends FileStore {
  /** Returns whether no other document has a file under the id of the bytes. */
  canWrite(writes: Pick<Writes, 'bytes'>): boolean;
  /** Writes the bytes and recordings of a commit. */
  write(writes: Pick<Writes, 'bytes' | 'recordings'>): void;
}

/**
 * Creates a {@link FileStore} in memory. @param records the records of the committing store, which decide which bytes
 * are needed.
 */
export function createMemoryFiles(records: ReadonlyMap<string, LocalRecord>): MemoryFiles {
  const bytes = new Map<string, FileBytes>();
  const recordings = new Map<string, StoredRecording>();
  const pieces = new Map<string, RecordingChunk[]>();

  const byUse = (kind: FileBytes['kind']): FileBytes[] =>
    [...bytes.values()]
      .filter((one) => one.kind === kind)
      .toSorted((one, other) => one.usedAtMs - other.usedAtMs);

  return {
    canWrite: ({ bytes: written = [] }) =>
      written.every(
        ([id, value, from]) =>
          value === null || (from === null ? !bytes.has(id) : !isOther(bytes.get(id), value)),
      ),
    write: ({ bytes: written = [], recordings: ended = [] }) => {
      for (const [id, value] of written) {
        if (value !== null) bytes.set(id, value);
        else if (!neededBytes(records.values()).has(id)) bytes.delete(id);
      }
      for (const id of ended) {
        recordings.delete(id);
        pieces.delete(id);
      }
    },
    read: async (id) => bytes.get(id) ?? null,
    list: async (kind) => byUse(kind),
    touch: async (id, usedAtMs) => {
      const found = bytes.get(id);
      if (found !== undefined) bytes.set(id, { ...found, usedAtMs });
    },
    evictLeastRecentlyUsed: async ({ maxBytes, withoutPets = new Set() }) => {
      const needed = neededBytes(records.values());
      for (const kind of ['profile-picture', 'voice-note'] as const) {
        const room = { maxBytes: maxBytes[kind], withoutPets };
        for (const id of beyondRoom(byUse(kind), needed, room)) bytes.delete(id);
      }
    },
    watch: () => {
      throw new Error('Nothing is watched in memory');
    },
    beginRecording: async (recording) => void recordings.set(recording.id, recording),
    addPiece: async (piece) => {
      pieces.set(piece.recordingId, [...(pieces.get(piece.recordingId) ?? []), piece]);
    },
    listRecordings: async () => [...recordings.values()],
    readRecording: async (id) => {
      const recording = recordings.get(id);
      return recording === undefined ? null : { recording, pieces: pieces.get(id) ?? [] };
    },
  };
}
