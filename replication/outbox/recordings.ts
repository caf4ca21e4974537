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
import type { FileStores } from '../../store/file-stores.ts';

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
  readonly database: FileStores;
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

function extensionOf({ contentType }: StoredRecording): string {
  const extension = audioExtension(contentType);
  if (extension === null) throw new Error(`Not a type of recording: ${contentType}`);
  return extension;
}

/** After the millisecond in which it began, or the next one that no other recording on this device is named after. */
function freeName(recording: StoredRecording, jobs: readonly OutboxJob[]): string {
  const taken = new Set(jobs.map(({ objectName }) => objectName));
  const extension = extensionOf(recording);
  let timestampMs = recording.startedAtMs;
  while (taken.has(audioPath(recording.petId, timestampMs, extension))) timestampMs += 1;
  return audioPath(recording.petId, timestampMs, extension);
}

interface FinishedRecording {
  readonly recording: StoredRecording;
  readonly objectName: string;
  readonly bytes: ArrayBuffer;
  readonly token: string;
}

function voiceNoteJob({ recording, objectName, bytes, token }: FinishedRecording): OutboxJob {
  const { id, petId, contentType, startedAtMs } = recording;
  return {
    id: voiceNoteJobId(id),
    kind: 'voice-note',
    petId,
    entryId: id,
    stage: 'recorded',
    token,
    objectName,
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
    const objectName = freeName(recording, await jobs.toArray());
    const finished = { recording, objectName, bytes: whole, token: newId() };
    const job = { ...voiceNoteJob(finished), durationMs: Math.round(measuredMs) };
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
