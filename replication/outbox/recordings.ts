import { Dexie } from 'dexie';
import { untried, type OutboxJob } from '../../schemas/outbox-job.ts';
import {
  audioExtension,
  audioPath,
  voiceNoteJobId,
  type RecordingChunk,
  type StoredRecording,
} from '../../schemas/voice-note.ts';
import { md5Base64 } from './md5.ts';
import type { OutboxDatabase } from './outbox-database.ts';

/**
 * Recordings under way, and those that were cut off.
 *
 * - Each piece is durable when its `append` resolves: a crash costs what came after it.
 * - Pieces become a job with its bytes in one transaction; done again, it finds the job that is there.
 */
export interface Recordings {
  /** Fails if the device has no room, before anybody has spoken. */
  begin(recording: StoredRecording): Promise<void>;
  append(chunk: RecordingChunk): Promise<void>;
  /**
   * @param durationMs as it was measured; without it, as far as the pieces go.
   * @returns the job, in stage `recorded`; null if nothing was recorded.
   */
  finish(id: string, durationMs?: number): Promise<OutboxJob | null>;
  discard(id: string): Promise<void>;
  /** Those that are not finished. */
  list(): Promise<readonly StoredRecording[]>;
}

export interface RecordingsDeps {
  readonly database: OutboxDatabase;
  readonly newId: () => string;
}

function joined(chunks: readonly RecordingChunk[]): ArrayBuffer {
  const length = chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const { bytes } of chunks) {
    whole.set(new Uint8Array(bytes), offset);
    offset += bytes.byteLength;
  }
  return whole.buffer;
}

/**
 * In microseconds, the last three digits from the random id: two devices that record in the same millisecond must not
 * write over each other.
 */
function timestampOf({ id, startedAtMs }: StoredRecording): number {
  const digits = Array.from(id).reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000,
    0,
  );
  return startedAtMs * 1_000 + digits;
}

function voiceNoteJob(recording: StoredRecording, bytes: ArrayBuffer, token: string): OutboxJob {
  const { id, petId, contentType, startedAtMs } = recording;
  const extension = audioExtension(contentType);
  if (extension === null) throw new Error(`Not a type of recording: ${contentType}`);
  return {
    id: voiceNoteJobId(id),
    kind: 'voice-note',
    petId,
    entryId: id,
    stage: 'recorded',
    token,
    objectName: audioPath(petId, timestampOf(recording), extension),
    contentType,
    byteLength: bytes.byteLength,
    md5: md5Base64(bytes),
    createdAtMs: startedAtMs,
    ...untried,
  };
}

export function createRecordings({ database, newId }: RecordingsDeps): Recordings {
  const { recordings, chunks, jobs, bytes: allBytes } = database;
  const chunksOf = (id: string) =>
    chunks.where('[recordingId+index]').between([id, Dexie.minKey], [id, Dexie.maxKey]);

  const discard = (id: string): Promise<void> =>
    database.transaction('rw', recordings, chunks, async () => {
      await chunksOf(id).delete();
      await recordings.delete(id);
    });

  const join = async (id: string, durationMs?: number): Promise<OutboxJob | null> => {
    const recording = await recordings.get(id);
    if (recording === undefined) return (await jobs.get(voiceNoteJobId(id))) ?? null;
    const pieces = await chunksOf(id).toArray();
    const whole = joined(pieces);
    await discard(id);
    if (whole.byteLength === 0) return null;
    const measuredMs = durationMs ?? pieces.at(-1)?.untilMs ?? 0;
    const job = { ...voiceNoteJob(recording, whole, newId()), durationMs: Math.round(measuredMs) };
    await allBytes.put({ id: job.id, token: job.token, bytes: whole });
    await jobs.put(job);
    return job;
  };

  return {
    begin: async (recording) => {
      await recordings.put(recording);
    },
    append: async (chunk) => {
      await chunks.put(chunk);
    },
    finish: (id, durationMs) =>
      database.transaction('rw', [recordings, chunks, jobs, allBytes], () => join(id, durationMs)),
    discard,
    list: () => recordings.toArray(),
  };
}
