import { voiceNoteJobId } from '../../schemas/documents/voice-note.ts';
import {
  entryDeletedCode,
  isOfDeleted,
  isParked,
  isTold,
  isUntouched,
  transcriptRequest,
  untried,
  type OutboxJob,
} from '../../schemas/local/outbox-job.ts';
import { commitPlanned } from '../change-documents.ts';
import { together, type BytesWrite, type JobSwap, type Writes } from '../document-store.ts';
import type { BytesInfo } from '../file-store.ts';
import { freeName, timestampOf } from './free-name.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import type { JobChanges, OutboxQueue } from './outbox-queue.ts';
import { storedBytes } from './recordings.ts';

/** A recording that the server has, with its entry. */
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
  /** The old job stays as well. */
  readonly isCopy?: boolean;
}

/** How long the recording of a deleted entry is kept: another device, which may be offline, may undo the deletion. */
export const deletedRecordingKeptMs = 24 * 60 * 60_000;

/** Returns the changes that mark the job of a deleted entry. */
export function goneMark(nowMs: number): JobChanges {
  return { nextAttemptAtMs: nowMs + deletedRecordingKeptMs, code: entryDeletedCode };
}

/** Changes of voice note jobs other than moving them to the next stage. Each is one commit, which includes `also`. */
export function createVoiceNoteFiles(deps: OutboxDeps & { readonly queue: OutboxQueue }) {
  const { store, files, queue, now } = deps;

  const wordsJob = ({ entryId, replacesStamp, ...audio }: UploadedAudio): OutboxJob => ({
    ...audio,
    ...transcriptRequest({ replacesStamp }),
    id: voiceNoteJobId(entryId),
    kind: 'voice-note',
    entryId,
    stage: 'transcribing',
    token: deps.newId(),
    byteLength: 0,
    md5: '',
    createdAtMs: now(),
    ...untried,
  });

  /** Returns a name for a recording in the folder of its pet. @param laterMs is added to the time in its name. */
  const nameFor = ({ objectName, ...audio }: UploadedAudio, laterMs = 0): Promise<string> =>
    freeName(files, { ...audio, timestampMs: timestampOf(objectName) + laterMs });

  /** Stores the bytes again with the job that needs them, since a cache may evict them in the meantime. */
  const bytesFor = (job: OutboxJob, bytes: ArrayBuffer): BytesWrite =>
    storedBytes(job, bytes, now());

  /** @returns null if there is nothing to do. */
  const planRehome = async (
    job: OutboxJob,
    { entryId, petId, isCopy }: NewHome,
  ): Promise<Writes | null> => {
    const current = await queue.get(job.id);
    if (current?.token !== job.token) return null;
    const id = voiceNoteJobId(entryId);
    const other = id === job.id ? null : await queue.get(id);
    // That entry has a pending recording of its own.
    if (other !== null && !isTold(other)) return null;
    const found = await files.read(current.objectName);
    const isSamePet = petId === current.petId;
    // A file without local bytes keeps the name that it has on the server, so under another pet the job is at its end.
    if (found === null && !isSamePet) {
      return isTold(current) && isCopy !== true ? { jobs: [{ from: current, to: null }] } : null;
    }
    const home = { ...current, ...transcriptRequest(other ?? {}), ...untried, id, entryId, petId };
    const objectName = isSamePet ? current.objectName : await nameFor(home);
    const next = { ...home, objectName };
    const isLeft = isCopy !== true && id !== current.id;
    const left: readonly JobSwap[] = isLeft ? [{ from: current, to: null }] : [];
    const from = id === current.id ? current : other;
    if (found === null) return { jobs: [...left, { from, to: { ...next, stage: 'uploaded' } }] };
    const stage = isSamePet && !isUntouched(current) ? 'uploading' : 'queued';
    const to = { ...next, stage, byteLength: found.byteLength } as const;
    const moved = isCopy === true || isSamePet ? [] : [[current.objectName, null] as const];
    return { jobs: [...left, { from, to }], bytes: [...moved, bytesFor(to, found.bytes)] };
  };

  return {
    /** Requests a transcript of a recording. One that is still to be uploaded, or was refused, is uploaded before. */
    requestTranscript: (audio: UploadedAudio) =>
      commitPlanned(store, async () => {
        const asked = wordsJob(audio);
        const from = await queue.get(asked.id);
        if (from === null) return { jobs: [{ from, to: asked }] };
        const { token, stage } = asked;
        const wanted = transcriptRequest(asked);
        if (!isTold(from)) {
          const again = isParked(from) ? ({ ...untried, stage: 'uploading' } as const) : {};
          return { jobs: [{ from, to: { ...from, ...wanted, ...again } }] };
        }
        const { replacesStamp: _, ...known } = from;
        return { jobs: [{ from, to: { ...known, ...untried, ...wanted, token, stage } }] };
      }),
    /**
     * Moves the job and its bytes to another entry, after the entry was moved to another pet or restored under another
     * id. A later stage checks whether the server still has the uploaded file. Writes nothing, nor `also`, if one of the
     * rows has changed meanwhile: the next pass decides anew.
     */
    rehome: async (job: OutboxJob, to: NewHome, also: Writes = {}): Promise<void> => {
      const plan = await planRehome(job, to);
      if (plan !== null) await store.commit(together(plan, also));
    },
    /**
     * Creates a job for a cached recording that the server may have lost; it uploads the recording if the server lacks
     * it.
     */
    requeue: ({ id: objectName, documentId: entryId }: BytesInfo, changes: JobChanges) =>
      commitPlanned(store, async () => {
        const from = await queue.get(voiceNoteJobId(entryId));
        if (from !== null && (isOfDeleted(from) || !isTold(from))) return null;
        const audio = await files.read(objectName);
        if (audio === null) return null;
        const { contentType, bytes, byteLength } = audio;
        const petId = objectName.split('/')[1] ?? '';
        const job = from ?? wordsJob({ entryId, petId, objectName, contentType });
        const begun = { ...job, ...untried, petId, objectName, stage: 'uploading' } as const;
        const to = { ...begun, byteLength, ...changes };
        return { jobs: [{ from, to }], bytes: [bytesFor(to, bytes)] };
      }),
    /** Turns a job whose entry does not exist into an interrupted recording, which its owner keeps or discards. */
    offer: async (job: OutboxJob): Promise<void> => {
      const found = await files.read(job.objectName);
      if (found === null) {
        await queue.end(job);
        return;
      }
      const attempts = isUntouched(job) ? 0 : 1;
      const { byteLength } = found;
      const to = { ...job, ...untried, attempts, stage: 'recorded', byteLength } as const;
      await store.commit({ jobs: [{ from: job, to }], bytes: [bytesFor(to, found.bytes)] });
    },
    /** Gives a recording the next free name, since another one has its name on the server. */
    rename: async (job: OutboxJob): Promise<void> => {
      const from = await queue.get(job.id);
      if (from?.token !== job.token || from.objectName !== job.objectName) return;
      const found = await files.read(from.objectName);
      const objectName = await nameFor({ ...from, entryId: from.entryId ?? '' }, 1);
      const to = { ...from, objectName };
      const moved =
        found === null ? [] : [bytesFor(to, found.bytes), [from.objectName, null] as const];
      await store.commit({ jobs: [{ from, to }], bytes: moved });
    },
    /**
     * Uploads a recording from another folder again, to the folder of its entry's pet. @param audio has the previous
     * name. Writes nothing if one of the rows has changed meanwhile.
     */
    sendAgain: async (
      audio: UploadedAudio,
      bytes: ArrayBuffer,
      also: Writes = {},
    ): Promise<void> => {
      const job = wordsJob({ ...audio, objectName: await nameFor(audio) });
      const { byteLength } = bytes;
      const to = { ...job, stage: 'queued', byteLength } as const;
      const from = await queue.get(to.id);
      await store.commit(together({ jobs: [{ from, to }], bytes: [bytesFor(to, bytes)] }, also));
    },
  };
}
