import { audioExtension, audioPath, voiceNoteJobId } from '../../schemas/voice-note.ts';
import { untried, type OutboxJob } from '../../schemas/outbox-job.ts';
import type { AudioCache } from './audio-cache.ts';
import type { OutboxDatabase } from './outbox-database.ts';
import type { OutboxQueue } from './outbox-queue.ts';

/** A recording that the server has, and its entry. */
export interface UploadedAudio {
  readonly entryId: string;
  readonly petId: string;
  readonly objectName: string;
  readonly contentType: string;
}

/** What is done to the jobs of voice notes beside moving them on. */
export interface VoiceNoteFiles {
  /** The server has it: its bytes move from the queue to the cache, in one transaction. Its job goes on. */
  keepUploaded(job: OutboxJob): Promise<void>;
  /** Asks for the words of a recording that the server has; a job that is there already is gone on with. */
  askForWords(audio: UploadedAudio): Promise<void>;
  /** Its entry was moved to another dog, or comes back under another id: job and bytes go with it. */
  rehome(job: OutboxJob, to: { readonly entryId: string; readonly petId: string }): Promise<void>;
}

export interface VoiceNoteFilesDeps {
  readonly database: OutboxDatabase;
  readonly queue: OutboxQueue;
  readonly audios: AudioCache;
  readonly now: () => number;
  readonly newId: () => string;
}

const timestampPattern = /voice-note-(\d+)\./;

/** The same file for another dog. */
function objectNameFor(petId: string, { objectName, contentType }: OutboxJob): string {
  const timestamp = Number(timestampPattern.exec(objectName)?.[1] ?? 0);
  return audioPath(petId, timestamp, audioExtension(contentType) ?? 'webm');
}

export function createVoiceNoteFiles(deps: VoiceNoteFilesDeps): VoiceNoteFiles {
  const { database, queue, audios } = deps;
  const { jobs, bytes: allBytes } = database;

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

  return {
    keepUploaded: (job) =>
      database.transaction('rw', allBytes, database.audios, async () => {
        const bytes = await queue.readBytes(job);
        if (bytes === null) return;
        const { objectName, contentType, entryId } = job;
        await audios.keep({ objectName, entryId: entryId ?? '', contentType, bytes });
        await allBytes.delete(job.id);
      }),
    askForWords: (audio) =>
      database.transaction('rw', jobs, async () => {
        const known = await jobs.get(voiceNoteJobId(audio.entryId));
        if (known === undefined) await jobs.put(wordsJob(audio));
        else if (known.stage === 'failed' || known.stage === 'transcribing') {
          await jobs.put({ ...known, ...untried, stage: 'transcribing', token: deps.newId() });
        }
      }),
    rehome: (job, { entryId, petId }) =>
      database.transaction('rw', jobs, allBytes, async () => {
        const bytes = await queue.readBytes(job);
        const isSamePet = petId === job.petId;
        // What the server has already goes by the name that it has there.
        if (bytes === null && !isSamePet) return;
        if (!(await queue.remove(job))) return;
        const objectName = isSamePet ? job.objectName : objectNameFor(petId, job);
        const stage = isSamePet && job.stage !== 'recorded' ? job.stage : 'queued';
        const next = { ...job, id: voiceNoteJobId(entryId), entryId, petId, objectName, stage };
        await jobs.put(next);
        if (bytes !== null) await allBytes.put({ id: next.id, token: job.token, bytes });
      }),
  };
}
