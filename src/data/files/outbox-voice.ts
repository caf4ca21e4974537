import { isUntouched, untried, type OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { noEngineCode, type TranscribeAnswer } from '../../../schemas/transcription.ts';
import { audioExtension, voiceNoteJobId } from '../../../schemas/documents/voice-note.ts';
import { discardJob, readFileOf } from './outbox-jobs.ts';
import type { Collections } from '../../../store/rxdb/database.ts';
import { CommandError, told, type Commands, type KnownWords } from '../commands/commands.ts';
import {
  heardWords,
  type FileContent,
  type OpenRecording,
  type SpokenEntry,
  type VoiceFiles,
} from './voice-files.ts';
import { liveFrom, type OnReadError } from '../queries/live-query.ts';
import type { FetchedFile } from '../../../store/files/file-caches.ts';
import type { Outbox } from '../../../store/files/outbox.ts';
import { liveRead } from '../../../store/rxdb/live-read.ts';
import { voiceSentences } from './voice-copy.ts';

/** The locks of recordings. A tab holds the lock of its recording for as long as it lives. */
export interface RecordingLocks {
  /** Takes a lock. @returns a function that releases it; null if another tab has it. */
  hold(id: string): Promise<(() => void) | null>;
  /** Returns the ids that are locked in all tabs. */
  held(): Promise<ReadonlySet<string>>;
}

export interface VoiceDeps {
  readonly outbox: Outbox;
  readonly collections: Collections;
  readonly commands: Pick<Commands, 'addVoiceNote' | 'awaitTranscript'>;
  readonly locks: RecordingLocks;
  readonly newId: () => string;
  /** Epoch milliseconds of this device's clock. */
  readonly now: () => number;
  /** The current time, corrected by the server's clock, which dates a recording. */
  readonly correctedNow: () => number;
  /** Downloads a recording and checks its hash; null if the server does not have it. */
  readonly download: (path: string) => Promise<FetchedFile | null>;
  /** Uploads a recording and has the server transcribe it. */
  readonly hear: (
    job: OutboxJob,
    bytes: ArrayBuffer,
    signal: AbortSignal,
  ) => Promise<TranscribeAnswer>;
  /** Returns the field `waveform` of an entry; null if this device cannot read the sound. */
  readonly drawWaveform: (bytes: ArrayBuffer) => Promise<string | null>;
  /** Runs a function after a delay. @returns a function that cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly onReadError: OnReadError;
  /** Called when something was stored, other than by a command, that sync should send. */
  readonly onWritten: () => void;
}

/** The time that the browser has to decode a recording, which is not kept before; a decoder may never answer. */
const waveformMaxMs = 5_000;

/**
 * The functions that release the locks of this tab's recordings. They outlive the session, because the next one may keep
 * or discard a recording of this one.
 */
const releases = new Map<string, () => void>();

/** Watchers of all sessions, because a session that has ended may still give up a recording. */
const releaseListeners = new Set<() => void>();

function tellReleased(): void {
  for (const tell of releaseListeners) tell();
}

function watchReleases(onRelease: () => void): () => void {
  releaseListeners.add(onRelease);
  return () => releaseListeners.delete(onRelease);
}

/** Makes the recording one of this tab's. @returns false if another tab has it. */
async function hold(locks: RecordingLocks, id: string): Promise<boolean> {
  const free = await locks.hold(id);
  if (free !== null) releases.set(id, free);
  return free !== null;
}

function release(id: string): void {
  releases.get(id)?.();
  if (releases.delete(id)) tellReleased();
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

export function createVoiceFiles(deps: VoiceDeps): VoiceFiles {
  const { outbox, collections, commands, locks } = deps;
  const { queue, recordings, caches } = outbox;

  const requireJob = async (id: string): Promise<OutboxJob> => {
    const job = await queue.get(voiceNoteJobId(id));
    if (job === null) throw new CommandError('not-found', voiceSentences.gone);
    return job;
  };

  const discard = async (id: string): Promise<void> => {
    try {
      const entry = await collections.journal_entries.findOne(id).exec();
      if (entry !== null && !entry.deleted) return;
      await recordings.discard(id);
      if (await discardJob(queue, voiceNoteJobId(id), deps.now())) deps.onWritten();
    } finally {
      // The lock would block every update of the app. What is left of the recording is offered as an interrupted one.
      release(id);
    }
  };

  const begin = async (petId: string, contentType: string): Promise<OpenRecording> => {
    if (audioExtension(contentType) === null) {
      throw new CommandError('invalid', voiceSentences.unknownType);
    }
    const id = deps.newId();
    await hold(locks, id);
    try {
      await recordings.begin({ id, petId, contentType, startedAtMs: deps.correctedNow() });
    } catch (error) {
      release(id);
      throw error;
    }
    let count = 0;
    return {
      id,
      append: (bytes, untilMs) => {
        const chunk = { recordingId: id, index: count, bytes, untilMs };
        count += 1;
        return told(voiceSentences.deviceFull, () => recordings.append(chunk));
      },
      finish: (durationMs) =>
        told(voiceSentences.notAssembled, async () => {
          let job: OutboxJob | null = null;
          try {
            job = await recordings.finish(id, durationMs);
          } finally {
            // The pieces of one that cannot be assembled now are those of an interrupted recording.
            if (job === null) release(id);
          }
          return job !== null;
        }),
      discard: () => told(voiceSentences.notChanged, () => discard(id)),
    };
  };

  const waveformOf = async (job: OutboxJob): Promise<{ readonly waveform?: string }> => {
    const bytes = await queue.readBytes(job);
    if (bytes === null) return {};
    const waveform = await new Promise<string | null>((resolve, reject) => {
      const cancel = deps.after(waveformMaxMs, () => resolve(null));
      deps.drawWaveform(bytes).finally(cancel).then(resolve, reject);
    });
    return waveform === null ? {} : { waveform };
  };

  /** Adds the entry, and queues the upload of the recording in the same commit. */
  const keep = async (id: string, given?: KnownWords): Promise<void> => {
    const job = await requireJob(id);
    const words = given ?? (job.heard && heardWords(job.heard));
    const { petId, contentType, createdAtMs: createdDate, durationMs = 0 } = job;
    const waveform = await waveformOf(job);
    const known = { ...waveform, ...(words !== undefined && { words }) };
    const note = { id, petId, contentType, createdDate, durationMs, ...known };
    await commands.addVoiceNote(note, async () => {
      const from = await requireJob(id);
      const { heard: _, ...sent } = from;
      const stage = isUntouched(from) ? 'queued' : 'uploading';
      return { jobs: [{ from, to: { ...sent, ...untried, stage } }] };
    });
    release(id);
  };

  const importRecording: VoiceFiles['importRecording'] = async ({ bytes, waveform, ...sound }) => {
    const { id, petId, contentType, startedAtMs, durationMs } = sound;
    if (audioExtension(contentType) === null) {
      throw new CommandError('invalid', voiceSentences.unknownType);
    }
    const note = { id, petId, contentType, createdDate: startedAtMs, durationMs, waveform };
    const recording = { id, petId, contentType, startedAtMs };
    const whole = { recording, bytes, durationMs, stage: 'queued' } as const;
    let isFirst = true;
    await commands.addVoiceNote(note, async () => {
      // The first attempt reads nothing, like that of its entry.
      const writes = isFirst ? recordings.planNew(whole) : (await recordings.plan(whole)).writes;
      isFirst = false;
      return writes;
    });
  };

  const readRecovered = async (): Promise<readonly OutboxJob[]> => {
    const left = (await queue.list()).filter(({ stage }) => stage === 'recorded');
    if (left.length === 0) return left;
    const ids = left.map(({ entryId }) => entryId ?? '');
    const written = await collections.journal_entries.findByIds(ids).exec();
    // The browser frees a lock a moment after its release, so the locks are read last.
    const held = await locks.held();
    return left.filter(({ entryId }) => !held.has(entryId ?? '') && !written.has(entryId ?? ''));
  };

  const openAudio = async (entry: SpokenEntry): Promise<FileContent> => {
    const {
      id,
      fields: { fileLocation, contentType },
    } = entry;
    const own = await readFileOf(queue, await queue.ofEntry(id));
    if (own !== null) return own;
    if (fileLocation === undefined) throw new CommandError('not-found', voiceSentences.elsewhere);
    const cached = await caches.recording(fileLocation);
    // A full device can still play the recording.
    if (cached !== null) await caches.use(fileLocation).catch(() => undefined);
    if (cached !== null) return cached;
    const fetched = await told(voiceSentences.needsConnection, () => deps.download(fileLocation));
    if (fetched === null) throw new CommandError('not-found', voiceSentences.notOnServer);
    const sound = { bytes: fetched.bytes, contentType: contentType ?? fetched.contentType };
    // The recording plays even if the cache has no room for it.
    await caches.keepRecording(id, fileLocation, { ...fetched, ...sound }).catch(() => undefined);
    return sound;
  };

  const transcribeNow: VoiceFiles['transcribeNow'] = async (id, signal) => {
    const job = await requireJob(id);
    const pet = await collections.pets.findOne(job.petId).exec();
    const bytes = await queue.readBytes(job);
    if (pet === null || pet.seq === null || bytes === null) {
      throw new CommandError('storage', voiceSentences.notHeardYet);
    }
    // The attempt is stored before the upload begins, because the file may arrive even if this tab dies.
    const begun = await queue.move(job, { ...untried, stage: job.stage, attempts: 1 });
    try {
      const answer = await deps.hear(job, bytes, signal);
      const heard = { ...answer, text: answer.text.trim() };
      // Without room for it, the transcript is only shown.
      if (begun !== null) await queue.move(begun, { heard }).catch(() => null);
      return heard;
    } catch (error) {
      if (codeOf(error) === noEngineCode) return null;
      const isUnknown = codeOf(error) === 'unauthenticated';
      const sentence = isUnknown ? voiceSentences.notSignedIn : voiceSentences.notHeardYet;
      throw new CommandError('storage', sentence, { cause: error });
    }
  };

  const reopen: VoiceFiles['reopen'] = async (id) => {
    if (!(await hold(locks, id))) return 'held';
    let isFound = false;
    try {
      const job = await queue.get(voiceNoteJobId(id));
      if (job?.stage !== 'recorded') return null;
      isFound = true;
      // A full device may have had no room for the transcript.
      const { heard = { text: '', rough: false }, durationMs = 0 } = job;
      return { id, durationMs, heard };
    } finally {
      if (isFound) tellReleased();
      else release(id);
    }
  };

  const requestText = async ({ id, petId, fields }: SpokenEntry): Promise<void> => {
    const { fileLocation: objectName, contentType = 'audio/webm' } = fields;
    if (objectName === undefined || (await queue.ofEntry(id)) !== null) return;
    await outbox.voiceNotes.requestTranscript({ entryId: id, petId, objectName, contentType });
    deps.onWritten();
  };

  /**
   * Requests a new transcript. The job comes first and names the text that it replaces, so an interruption in between
   * loses nothing. The text stays until the transcript arrives.
   */
  const retranscribe = async ({ id, ...entry }: SpokenEntry): Promise<void> => {
    const {
      petId,
      fields: { fileLocation, contentType = 'audio/webm' },
    } = entry;
    if (fileLocation === undefined) throw new CommandError('not-found', voiceSentences.elsewhere);
    const row = await collections.journal_entries.findOne(id).exec();
    if (row === null) throw new CommandError('not-found', voiceSentences.elsewhere);
    const replacesStamp = row.edits['text'] ?? 0;
    const audio = { entryId: id, petId, objectName: fileLocation, contentType, replacesStamp };
    await outbox.voiceNotes.requestTranscript(audio);
    await commands.awaitTranscript(id, row.edits);
  };

  return {
    begin: ({ petId, contentType }) =>
      told(voiceSentences.deviceFull, () => begin(petId, contentType)),
    keep: (id, words) => told(voiceSentences.notChanged, () => keep(id, words)),
    discard: (id) => told(voiceSentences.notChanged, () => discard(id)),
    letGo: release,
    importRecording: (sound) => told(voiceSentences.deviceFull, () => importRecording(sound)),
    recover: () =>
      told(voiceSentences.notRead, async () => {
        const unfinished = await recoverRecordings(deps);
        // The browser releases the locks of a closed tab without an event.
        tellReleased();
        return unfinished;
      }),
    recovered: () =>
      liveFrom(
        () =>
          liveRead(collections.local, {
            stores: ['local'],
            isConcerned: (id) => id.startsWith(voiceNoteJobId('')),
            trigger: watchReleases,
            read: readRecovered,
          }),
        (jobs: readonly OutboxJob[]) => jobs,
        deps.onReadError,
      ),
    hasNoEngine: () =>
      liveFrom(
        () => queue.watch(),
        (jobs) => jobs.some(({ code }) => code === noEngineCode),
        deps.onReadError,
      ),
    work: (entryId) =>
      liveFrom(
        () => queue.watchOfEntry(entryId),
        (job) => ({ job }),
        deps.onReadError,
      ),
    open: (entry) => told(voiceSentences.notRead, () => openAudio(entry)),
    transcribeNow: (id, signal) =>
      told(voiceSentences.notHeardYet, () => transcribeNow(id, signal)),
    reopen: (id) => told(voiceSentences.notRead, () => reopen(id)),
    requestText: (entry) => told(voiceSentences.notChanged, () => requestText(entry)),
    retranscribe: (entry) => told(voiceSentences.notChanged, () => retranscribe(entry)),
  };
}

/**
 * Assembles interrupted recordings, so that they can be offered.
 * @returns the number of recordings that stay unfinished.
 */
export async function recoverRecordings({
  outbox: { recordings },
  locks,
}: Pick<VoiceDeps, 'outbox' | 'locks'>): Promise<number> {
  const cutOff = await recordings.list();
  if (cutOff.length === 0) return 0;
  const held = await locks.held();
  for (const { id } of cutOff) {
    // A recording that cannot be assembled stays as it is, and does not block the others.
    if (!held.has(id)) await recordings.finish(id).catch(() => null);
  }
  return (await recordings.list()).length;
}
