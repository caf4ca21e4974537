import { bytesIdOf, isOther } from '../../schemas/local/file-bytes.ts';
import { transcriptRequest, untried, type OutboxJob } from '../../schemas/local/outbox-job.ts';
import {
  audioExtension,
  voiceNoteJobId,
  type RecordingChunk,
  type StoredRecording,
} from '../../schemas/documents/voice-note.ts';
import { together, type BytesWrite, type Writes } from '../document-store.ts';
import { firstName, freeName, type Unnamed } from './free-name.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import type { OutboxQueue } from './outbox-queue.ts';

export interface StoredSound {
  readonly recording: StoredRecording;
  readonly bytes: ArrayBuffer;
  readonly durationMs: number;
}

export interface FinishedSound extends StoredSound {
  readonly stage: 'recorded' | 'queued' | 'uploading';
  /** The name that its entry has for it already; a free one by default, and if another file has that name here. */
  readonly objectName?: string | null;
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

function unnamed({ id, petId, contentType, startedAtMs }: StoredRecording): Unnamed {
  if (audioExtension(contentType) === null) {
    throw new Error(`Not a type of recording: ${contentType}`);
  }
  return { entryId: id, petId, contentType, timestampMs: startedAtMs };
}

/** Returns the write of a job's bytes. @param usedAtMs epoch milliseconds. */
export function storedBytes(job: OutboxJob, bytes: ArrayBuffer, usedAtMs: number): BytesWrite {
  const { kind, petId, entryId, contentType, md5 } = job;
  const id = bytesIdOf(job);
  const { byteLength } = bytes;
  const documentId = entryId ?? petId;
  return [id, { id, kind, documentId, contentType, bytes, byteLength, md5, usedAtMs }];
}

/**
 * Stores recordings in progress, and those that were interrupted.
 *
 * - Each piece is durable when its `append` resolves, so a crash loses only what came after it.
 * - `finish` turns the pieces into a job with its bytes in one transaction. It is idempotent: a repeated call returns
 *   the existing job.
 */
export function createRecordings(deps: OutboxDeps & { readonly queue: OutboxQueue }) {
  const { store, files, queue } = deps;

  const writesOf = (
    { recording, bytes, durationMs, stage }: FinishedSound,
    { from, objectName }: { readonly from: OutboxJob | null; readonly objectName: string },
  ) => {
    const { id, petId, contentType, startedAtMs } = recording;
    const job: OutboxJob = {
      id: voiceNoteJobId(id),
      kind: 'voice-note',
      petId,
      entryId: id,
      stage,
      token: deps.newId(),
      objectName,
      contentType,
      byteLength: bytes.byteLength,
      md5: '',
      ...(durationMs > 0 && { durationMs: Math.round(durationMs) }),
      ...transcriptRequest(from ?? {}),
      createdAtMs: startedAtMs,
      ...untried,
    };
    const stored = storedBytes(job, bytes, deps.now());
    return { job, writes: { jobs: [{ from, to: job }], bytes: [stored] } };
  };

  const nameFor = async ({ recording, bytes, objectName = null }: FinishedSound) => {
    const own = unnamed(recording);
    if (objectName === null) return freeName(files, own);
    const named = (await files.read(objectName)) ?? undefined;
    return isOther(named, { documentId: recording.id, bytes }) ? freeName(files, own) : objectName;
  };

  /**
   * Returns the writes that create a job, with its bytes, from a complete recording, and the job. Rejects for a type that
   * is no recording.
   */
  const plan = async (sound: FinishedSound) => {
    const { id } = sound.recording;
    const [from, objectName] = await Promise.all([queue.get(voiceNoteJobId(id)), nameFor(sound)]);
    return writesOf(sound, { from, objectName });
  };

  /** Like {@link plan} without a read: the commit fails if there is such a job, or any recording of that name. */
  const planNew = (sound: FinishedSound): Writes => {
    const objectName = firstName(unnamed(sound.recording));
    const { jobs, bytes } = writesOf(sound, { from: null, objectName }).writes;
    return { jobs, bytes: bytes.map(([id, value]) => [id, value, null]) };
  };

  const discard = async (id: string): Promise<void> => {
    await store.commit({ recordings: [id] });
  };

  /** Returns a recording that is not finished, as far as it is stored; null if there is none. */
  const read = async (id: string): Promise<StoredSound | null> => {
    const found = await files.readRecording(id);
    if (found === null) return null;
    const { recording, pieces } = found;
    return { recording, bytes: joined(pieces), durationMs: pieces.at(-1)?.untilMs ?? 0 };
  };

  /**
   * Creates the job of a recording. @param durationMs the measured duration; by default the end of the last piece.
   * @returns the job, in stage `recorded`; null if nothing was recorded.
   */
  const finish = async (id: string, durationMs?: number): Promise<OutboxJob | null> => {
    const found = await read(id);
    if (found === null) return queue.get(voiceNoteJobId(id));
    if (found.bytes.byteLength === 0) {
      await discard(id);
      return null;
    }
    const measuredMs = durationMs ?? found.durationMs;
    const { job, writes } = await plan({ ...found, durationMs: measuredMs, stage: 'recorded' });
    const isWritten = await store.commit(together(writes, { recordings: [id] }));
    return isWritten ? job : finish(id, durationMs);
  };

  return {
    /** Rejects if the device is out of storage, before anybody has spoken. */
    begin: (recording: StoredRecording) => files.beginRecording(recording),
    append: (chunk: RecordingChunk) => files.addPiece(chunk),
    finish,
    discard,
    /** Lists the recordings that are not finished. */
    list: () => files.listRecordings(),
    read,
    plan,
    planNew,
  };
}
