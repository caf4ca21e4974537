import { audioExtension, audioPath, voiceNoteJobId } from '../../schemas/voice-note.ts';
import {
  entryDeletedCode,
  isUntouched,
  untried,
  type OutboxJob,
} from '../../schemas/outbox-job.ts';
import type { AudioCache } from './audio-cache.ts';
import { md5Base64 } from './md5.ts';
import type { FileStores } from '../../store/file-stores.ts';
import type { JobChanges, OutboxQueue } from './outbox-queue.ts';

/** A recording that the server has, and its entry. */
export interface UploadedAudio {
  readonly entryId: string;
  readonly petId: string;
  readonly objectName: string;
  readonly contentType: string;
  /** See `OutboxJob`. */
  readonly replacesStamp?: number | undefined;
}

/** The entry that a recording belongs to from now on. */
export interface NewHome {
  readonly entryId: string;
  readonly petId: string;
  /** The job stays where it is as well. */
  readonly isCopy?: boolean;
}

/** What is done to the jobs of voice notes beside moving them on. Each is one transaction. */
export interface VoiceNoteFiles {
  /** The server has it: its bytes move from the queue to the cache. Its job goes on. */
  keepUploaded(job: OutboxJob): Promise<void>;
  /** Asks for the words of a recording that the server has; a job that is there already is gone on with. */
  askForWords(audio: UploadedAudio): Promise<void>;
  /**
   * Its entry was moved to another dog, or comes back under another id: job and bytes go with it. The server is asked
   * whether it still has what was uploaded.
   */
  rehome(job: OutboxJob, to: NewHome): Promise<void>;
  /** The server may have lost a cached recording: its bytes move to a job, which uploads it if it is not there. */
  requeue(objectName: string, changes: JobChanges): Promise<void>;
  /** Its entry is nowhere: it rests as a recording that was cut off, which its owner keeps or discards. */
  offer(job: OutboxJob): Promise<void>;
  /** Another recording has its name on the server: it takes the next one. */
  rename(job: OutboxJob): Promise<void>;
  /** Sends a recording of another folder again, to that of its entry's dog. @param audio with its name before. */
  sendAgain(audio: UploadedAudio, bytes: ArrayBuffer): Promise<void>;
}

export interface VoiceNoteFilesDeps {
  readonly database: FileStores;
  readonly queue: OutboxQueue;
  readonly audios: AudioCache;
  readonly now: () => number;
  readonly newId: () => string;
}

/** How long the recording of a deleted entry stays here: another device may take the deletion back, and be offline. */
export const deletedRecordingKeptMs = 24 * 60 * 60_000;

/** Marks the job of a deleted entry. */
export function goneMark(nowMs: number): JobChanges {
  return { nextAttemptAtMs: nowMs + deletedRecordingKeptMs, code: entryDeletedCode };
}

const timestampPattern = /voice-note-(\d+)\./;

/** The upload of this job is over: the server has the recording that its entry names. */
function isHeard({ stage }: OutboxJob): boolean {
  return stage === 'failed' || stage === 'transcribing' || stage === 'done';
}

/** The same file for another dog. */
function objectNameFor(
  petId: string,
  { objectName, contentType }: Pick<OutboxJob, 'objectName' | 'contentType'>,
): string {
  const timestamp = Number(timestampPattern.exec(objectName)?.[1] ?? 0);
  return audioPath(petId, timestamp, audioExtension(contentType) ?? 'webm');
}

function nextName({ petId, objectName, contentType }: OutboxJob): string {
  const timestamp = Number(timestampPattern.exec(objectName)?.[1] ?? 0);
  return audioPath(petId, timestamp + 1, audioExtension(contentType) ?? 'webm');
}

function withBytes(job: OutboxJob, bytes: ArrayBuffer): OutboxJob {
  return { ...job, byteLength: bytes.byteLength, md5: md5Base64(bytes) };
}

export function createVoiceNoteFiles(deps: VoiceNoteFilesDeps): VoiceNoteFiles {
  const { database, queue } = deps;
  const { jobs, bytes: allBytes, audios } = database;
  const tables = [jobs, allBytes, audios];

  const wordsJob = ({ entryId, ...audio }: UploadedAudio): OutboxJob => ({
    ...audio,
    id: voiceNoteJobId(entryId),
    kind: 'voice-note',
    entryId,
    stage: 'transcribing',
    token: deps.newId(),
    byteLength: 0,
    md5: '',
    createdAtMs: deps.now(),
    ...untried,
  });

  /** One promise of Dexie's: async functions within each other lose its transaction. */
  const bytesOf = ({ id, token, objectName }: OutboxJob) =>
    allBytes
      .get(id)
      .then<{ readonly bytes: ArrayBuffer } | null | undefined>((own) => {
        return own?.token === token ? own : audios.get(objectName);
      })
      .then((found) => found?.bytes ?? null);

  const rehome = async (job: OutboxJob, { entryId, petId, isCopy }: NewHome): Promise<void> => {
    const id = voiceNoteJobId(entryId);
    const other = id === job.id ? undefined : await jobs.get(id);
    // That entry has a recording of its own under way.
    if (other !== undefined && (await queue.readBytes(other)) !== null) return;
    const bytes = await bytesOf(job);
    const isSamePet = petId === job.petId;
    // What the server has already goes by the name that it has there.
    if (bytes === null && !isSamePet) return;
    if (isCopy !== true && !(await queue.remove(job))) return;
    const objectName = isSamePet ? job.objectName : objectNameFor(petId, job);
    const next = { ...job, ...untried, id, entryId, petId, objectName };
    if (bytes === null) await jobs.put({ ...next, stage: 'uploaded' });
    else {
      const stage = isSamePet && !isUntouched(job) ? 'uploading' : 'queued';
      await queue.put(withBytes({ ...next, stage }, bytes), bytes);
    }
  };

  const requeue = async (objectName: string, changes: JobChanges): Promise<void> => {
    const audio = await audios.get(objectName);
    if (audio === undefined) return;
    const { entryId, contentType, bytes } = audio;
    const known = await jobs.get(voiceNoteJobId(entryId));
    if (known !== undefined && (await queue.readBytes(known)) !== null) return;
    const petId = objectName.split('/')[1] ?? '';
    const job = known ?? wordsJob({ entryId, petId, objectName, contentType });
    const begun = { ...job, ...untried, petId, objectName, stage: 'uploading' } as const;
    await queue.put(withBytes({ ...begun, ...changes }, bytes), bytes);
    await audios.delete(objectName);
  };

  const offer = async (job: OutboxJob): Promise<void> => {
    const bytes = await bytesOf(job);
    if (!(await queue.remove(job)) || bytes === null) return;
    const attempts = isUntouched(job) ? 0 : 1;
    await queue.put(withBytes({ ...job, ...untried, attempts, stage: 'recorded' }, bytes), bytes);
    await audios.delete(job.objectName);
  };

  return {
    keepUploaded: (job) =>
      database.transaction('rw', allBytes, audios, async () => {
        const bytes = await queue.readBytes(job);
        if (bytes === null) return;
        const { objectName, contentType, entryId } = job;
        await deps.audios.keep({ objectName, entryId: entryId ?? '', contentType, bytes });
        await allBytes.delete(job.id);
      }),
    askForWords: (audio) =>
      database.transaction('rw', jobs, async () => {
        const known = await jobs.get(voiceNoteJobId(audio.entryId));
        const { replacesStamp } = audio;
        if (known === undefined) await jobs.put(wordsJob(audio));
        else if (isHeard(known)) {
          const again = { ...untried, stage: 'transcribing', token: deps.newId() } as const;
          await jobs.put({ ...known, ...again, replacesStamp });
        }
      }),
    rehome: (job, to) => database.transaction('rw', tables, () => rehome(job, to)),
    requeue: (objectName, changes) =>
      database.transaction('rw', tables, () => requeue(objectName, changes)),
    offer: (job) => database.transaction('rw', tables, () => offer(job)),
    rename: (job) =>
      database.transaction('rw', jobs, async () => {
        const stored = await jobs.get(job.id);
        if (stored?.token !== job.token || stored.objectName !== job.objectName) return;
        await jobs.put({ ...stored, objectName: nextName(stored) });
      }),
    sendAgain: (audio, bytes) => {
      const job = wordsJob({ ...audio, objectName: objectNameFor(audio.petId, audio) });
      return queue.put(withBytes({ ...job, stage: 'queued' }, bytes), bytes);
    },
  };
}
