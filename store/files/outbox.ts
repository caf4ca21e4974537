import { bytesIdOf, cachedPictureId } from '../../schemas/local/file-bytes.ts';
import {
  pictureExtensions,
  pictureJobId,
  picturePath,
  untried,
  type OutboxJob,
} from '../../schemas/local/outbox-job.ts';
import { commitPlanned } from '../change-documents.ts';
import { together, type Writes } from '../document-store.ts';
import { createFileCaches } from './file-caches.ts';
import { md5Base64 } from './md5.ts';
import type { OutboxDeps } from './outbox-deps.ts';
import { createOutboxQueue } from './outbox-queue.ts';
import { createRecordings, storedBytes } from './recordings.ts';
import { createVoiceNoteFiles } from './voice-note-files.ts';

/** The picture of a pet on this device, available without a request. */
export interface LocalPicture {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
  /** It is not uploaded yet, so it is newer than the one that the pet's document refers to. */
  readonly isWaiting: boolean;
}

export interface NewPicture {
  readonly petId: string;
  readonly bytes: ArrayBuffer;
  /** One of {@link pictureExtensions}. */
  readonly contentType: string;
  /** The time at which its owner chose it, in epoch milliseconds of the corrected clock; by default now. */
  readonly chosenAtMs?: number;
  /** Hashes of the pictures of this pet that its owner saw at that time. */
  readonly replaces?: readonly string[];
  /** The stamp of the pet's picture if its owner saw that one; by default they saw all that were chosen before. */
  readonly seenStamp?: number;
}

export type Outbox = ReturnType<typeof createOutbox>;

/** The files of one owner on this device: pending uploads and caches. */
export function createOutbox(deps: OutboxDeps) {
  const { store, files, now } = deps;
  const queue = createOutboxQueue(deps);
  const caches = createFileCaches(deps);

  /** Returns the current value of `watchPicture`. */
  const readPicture = async (petId: string): Promise<LocalPicture | null> => {
    const job = await queue.get(pictureJobId(petId));
    const bytes = job === null ? null : await queue.readBytes(job);
    if (job !== null && bytes !== null) {
      return { bytes, contentType: job.contentType, md5: job.md5, isWaiting: true };
    }
    const cached = await caches.picture(petId);
    if (cached === null) return null;
    const { contentType, md5 } = cached;
    return { bytes: cached.bytes, contentType, md5, isWaiting: false };
  };

  /**
   * Returns the writes that replace the pending picture of a pet, which its owner has seen, by another one.
   * @param from the job of the pending picture; null without one.
   */
  const planPicture = (picture: NewPicture, from: OutboxJob | null): Writes => {
    const { petId, bytes, contentType, chosenAtMs = now(), replaces = [] } = picture;
    const { seenStamp = from === null ? chosenAtMs : 0 } = picture;
    const extension = pictureExtensions[contentType];
    if (extension === undefined) throw new Error(`Not a type of picture: ${contentType}`);
    const seen = from === null ? [] : [from.md5, ...(from.replaces ?? [])];
    const to: OutboxJob = {
      id: pictureJobId(petId),
      kind: 'profile-picture',
      petId,
      entryId: null,
      stage: 'queued',
      token: deps.newId(),
      objectName: picturePath(petId, extension),
      contentType,
      byteLength: bytes.byteLength,
      md5: md5Base64(bytes),
      // The new picture is later than the pending one, whatever the clock says.
      createdAtMs: Math.max(chosenAtMs, (from?.createdAtMs ?? 0) + 1),
      replaces: [...replaces, ...seen],
      seenStamp: Math.max(seenStamp, from?.seenStamp ?? 0),
      ...untried,
    };
    return { jobs: [{ from, to }], bytes: [storedBytes(to, bytes, now())] };
  };

  return {
    queue,
    caches,
    recordings: createRecordings({ ...deps, queue }),
    voiceNotes: createVoiceNoteFiles({ ...deps, queue }),
    planPicture,
    /**
     * Adds an upload job. Durable when it resolves. It replaces a pending picture of the same pet, which its owner has
     * seen.
     * @param also further writes of the same commit.
     */
    addPicture: (picture: NewPicture, also: Writes = {}) =>
      commitPlanned(store, async () => {
        const from = await queue.get(pictureJobId(picture.petId));
        return together(planPicture(picture, from), also);
      }),
    readPicture,
    watchPicture: (petId: string) => {
      const ids = [pictureJobId(petId), cachedPictureId(petId)];
      return files.watch(
        () => readPicture(petId),
        (id) => ids.includes(id),
      );
    },
    /** Moves an uploaded picture from the job to the cache. */
    keepUploadedPicture: async (job: OutboxJob): Promise<void> => {
      const sent = await files.read(bytesIdOf(job));
      const id = cachedPictureId(job.petId);
      const cached = sent === null ? [] : [[id, { ...sent, id, usedAtMs: now() }] as const];
      await queue.discard(job, { bytes: cached });
    },
    /** Removes the job and the cached picture of a pet that is gone. @param also further writes of the same commit. */
    dropPicture: async (job: OutboxJob, also: Writes = {}): Promise<void> => {
      const cached = { bytes: [[cachedPictureId(job.petId), null]] } as const;
      await queue.discard(job, together(cached, also));
    },
  };
}
