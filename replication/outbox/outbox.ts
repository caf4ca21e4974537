import {
  pictureExtensions,
  pictureJobId,
  picturePath,
  untried,
  type CachedPicture,
  type OutboxJob,
} from '../../schemas/outbox-job.ts';
import { liveQuery } from 'dexie';
import { md5Base64 } from './md5.ts';
import type { FileStores } from '../../store/file-stores.ts';
import { createOutboxQueue, type OutboxQueue, type Watchable } from './outbox-queue.ts';
import { createAudioCache, type AudioCache } from './audio-cache.ts';
import { createKeptPictures, type KeptPictures } from './kept-pictures.ts';
import { createPictureCache, type PictureCache } from './picture-cache.ts';
import { createRecordings, type Recordings } from './recordings.ts';
import { createVoiceNoteFiles, type VoiceNoteFiles } from './voice-note-files.ts';

/** What this device can show of a dog without asking anybody. */
export interface LocalPicture {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
  /** It is not on the server yet: newer than whatever the dog's document says. */
  readonly isWaiting: boolean;
}

export interface NewPicture {
  readonly petId: string;
  readonly bytes: ArrayBuffer;
  /** One of {@link pictureExtensions}. */
  readonly contentType: string;
  /** Epoch milliseconds of the corrected clock: when its owner chose it; now if it is not given. */
  readonly chosenAtMs?: number;
  /** Hashes of the pictures of this dog that its owner saw then. */
  readonly replaces?: readonly string[];
}

/** The files of one owner on this device: those on their way, and pictures kept for a look. */
export interface Outbox {
  readonly queue: OutboxQueue;
  readonly pictures: PictureCache;
  readonly kept: KeptPictures;
  readonly recordings: Recordings;
  readonly audios: AudioCache;
  readonly voiceNotes: VoiceNoteFiles;
  /** Durable when it resolves. Takes the place of one that waits for the same dog, which its owner has seen. */
  addPicture(picture: NewPicture): Promise<void>;
  watchPicture(petId: string): Watchable<LocalPicture | null>;
  /** The server has it: its bytes move from the queue to the cache, in one transaction. */
  keepUploadedPicture(job: OutboxJob): Promise<void>;
  /** Its dog is gone. */
  dropPicture(job: OutboxJob): Promise<void>;
}

export interface OutboxDeps {
  readonly database: FileStores;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly pictureCacheMaxBytes?: number;
  readonly audioCacheMaxBytes?: number;
}

function toLocal(picture: CachedPicture): LocalPicture {
  const { bytes, contentType, md5 } = picture;
  return { bytes, contentType, md5, isWaiting: false };
}

function pictureJob(picture: NewPicture, { now, newId }: OutboxDeps): OutboxJob {
  const { petId, bytes, contentType, chosenAtMs = now(), replaces = [] } = picture;
  const extension = pictureExtensions[contentType];
  if (extension === undefined) throw new Error(`Not a type of picture: ${contentType}`);
  return {
    id: pictureJobId(petId),
    kind: 'profile-picture',
    petId,
    entryId: null,
    stage: 'queued',
    token: newId(),
    objectName: picturePath(petId, extension),
    contentType,
    byteLength: bytes.byteLength,
    md5: md5Base64(bytes),
    createdAtMs: chosenAtMs,
    replaces,
    ...untried,
  };
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const { database } = deps;
  const queue = createOutboxQueue(database);
  const cache = { database, now: deps.now };
  const pictures = createPictureCache({ ...cache, maxBytes: deps.pictureCacheMaxBytes });
  const audios = createAudioCache({ ...cache, maxBytes: deps.audioCacheMaxBytes });
  const { jobs, bytes: allBytes } = database;
  const tables = [jobs, allBytes, database.pictures];

  const readPicture = async (petId: string): Promise<LocalPicture | null> => {
    const job = await queue.get(pictureJobId(petId));
    const bytes = job === null ? null : await queue.readBytes(job);
    if (job !== null && bytes !== null) {
      return { bytes, contentType: job.contentType, md5: job.md5, isWaiting: true };
    }
    const cached = await pictures.get(petId);
    return cached === null ? null : toLocal(cached);
  };

  const addPicture = (picture: NewPicture): Promise<void> =>
    database.transaction('rw', jobs, allBytes, async () => {
      const job = pictureJob(picture, deps);
      const before = await queue.get(job.id);
      const seen = before === null ? [] : [before.md5, ...(before.replaces ?? [])];
      // Chosen after the one that waits, whatever the clock says.
      const createdAtMs = Math.max(job.createdAtMs, (before?.createdAtMs ?? 0) + 1);
      const replaces = [...(job.replaces ?? []), ...seen];
      await queue.put({ ...job, createdAtMs, replaces }, picture.bytes);
    });

  return {
    queue,
    pictures,
    kept: createKeptPictures(database, queue),
    recordings: createRecordings(deps),
    audios,
    voiceNotes: createVoiceNoteFiles({ ...deps, queue, audios }),
    addPicture,
    watchPicture: (petId) =>
      liveQuery(() => database.transaction('r', tables, () => readPicture(petId))),
    keepUploadedPicture: (job) =>
      database.transaction('rw', tables, async () => {
        const bytes = await queue.readBytes(job);
        if (!(await queue.remove(job)) || bytes === null) return;
        const { petId, contentType, md5 } = job;
        await pictures.keep({ petId, contentType, md5, bytes });
      }),
    dropPicture: (job) =>
      database.transaction('rw', tables, async () => {
        if (await queue.remove(job)) await pictures.remove(job.petId);
      }),
  };
}
