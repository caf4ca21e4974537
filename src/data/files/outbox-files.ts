import { canTakePicture, createArchiveFiles } from './archive-files.ts';
import { cachedPictureId } from '../../../schemas/local/file-bytes.ts';
import { petDeleted, petNotFound, uploadFailed } from '../../../schemas/copy/form-copy.ts';
import { fileMaxBytes } from '../../../schemas/limits.ts';
import {
  isAboutTranscript,
  isParked,
  isUnsent,
  pictureStamp,
  untried,
  type OutboxJob,
} from '../../../schemas/local/outbox-job.ts';
import type { LocalPicture } from '../../../store/files/outbox.ts';
import type { Live } from '../../lib/async/live.ts';
import { CommandError, told } from '../commands/commands.ts';
import type { Files, PicturedPet } from './files.ts';
import { liveFrom } from '../queries/live-query.ts';
import { discardJob, readJob } from './outbox-jobs.ts';
import { createVoiceFiles, recoverRecordings, type VoiceDeps } from './outbox-voice.ts';
import type { SharedItems, SharesPort } from '../shared-items.ts';
import type { FileContent } from './voice-files.ts';
import { createPictureFetcher, type PictureFetcherDeps } from './picture-fetcher.ts';
import { voiceSentences } from './voice-copy.ts';
import { createTaskQueue } from '../../../store/task-queue.ts';

export interface FilesDeps extends VoiceDeps, Omit<PictureFetcherDeps, 'outbox'> {
  readonly shares: SharesPort;
  /** Creates an object URL for a picture, which is valid until it is revoked. */
  readonly toUrl: (picture: FileContent) => string;
  readonly revokeUrl: (url: string) => void;
  /** Watches the return of the owner to this page. @returns a function that stops watching. */
  readonly watchReturn: (onReturn: () => void) => () => void;
}

export interface OpenFiles extends Files {
  /** Resolves when interrupted recordings were found, so that all unsent files are counted. Never rejects. */
  readonly ready: Promise<void>;
  /**
   * Revokes all object URLs; stored files stay. Resolves when the recordings that are being kept are stored, or could
   * not be: the database must be open until then.
   */
  close(): Promise<void>;
}

const notStored = `${uploadFailed} This picture could not be stored on your device. Free some space and try again; the picture before it is still there.`;
const notAPicture = `${uploadFailed} This file is not a picture that can be used.`;
const tooLarge = `${uploadFailed} This picture is larger than 10 MB.`;
const notRead = 'This device could not read the file. Reload and try again.';
const fileGone = 'This file is not waiting any more';

function checkPicture(picture: FileContent): void {
  if (canTakePicture(picture)) return;
  const isTooLarge = picture.bytes.byteLength > fileMaxBytes;
  throw new CommandError('invalid', isTooLarge ? tooLarge : notAPicture);
}

/** Keeps one object URL per dog, and revokes the one before when the picture changes. */
function createUrls({ toUrl, revokeUrl }: Pick<FilesDeps, 'toUrl' | 'revokeUrl'>) {
  const byPet = new Map<string, { readonly md5: string; readonly url: string }>();
  return {
    urlOf: (petId: string, picture: LocalPicture): string => {
      const known = byPet.get(petId);
      if (known?.md5 === picture.md5) return known.url;
      if (known !== undefined) revokeUrl(known.url);
      const url = toUrl(picture);
      byPet.set(petId, { md5: picture.md5, url });
      return url;
    },
    known: (petId: string): string | undefined => byPet.get(petId)?.url,
    ofVersion: (petId: string, md5: string | undefined): string | null => {
      const known = byPet.get(petId);
      return known?.md5 === md5 ? (known?.url ?? null) : null;
    },
    close: () => {
      for (const { url } of byPet.values()) revokeUrl(url);
      byPet.clear();
    },
  };
}

function createSharedItems(shares: SharesPort): SharedItems {
  return {
    list: () => told(notRead, () => shares.list()),
    read: (id) => told(notRead, () => shares.read(id)),
    keepRest: (id, restOf) => told(voiceSentences.notChanged, () => shares.update(id, restOf)),
  };
}

export function createFiles(deps: FilesDeps): OpenFiles {
  const { outbox, onReadError } = deps;
  const { queue, caches } = outbox;
  const urls = createUrls(deps);
  const fetcher = createPictureFetcher(deps);
  const voice = createVoiceFiles(deps);
  const keeping = createTaskQueue();
  const ready = recoverRecordings(deps).then(() => undefined, onReadError);
  // Another tab may have died with its recording meanwhile.
  const unwatch = deps.watchReturn(() => {
    voice.recover().catch(() => undefined);
  });

  const show = (pet: PicturedPet, local: LocalPicture | null): string | null => {
    const {
      id,
      fields: { profilePicturePath: path, profilePictureVersion: version },
    } = pet;
    if (local?.isWaiting === true) return urls.urlOf(id, local);
    if (path === undefined) return null;
    // An earlier client has stored no version.
    if (local === null || local.md5 !== version) fetcher.want(pet);
    // The URL of a picture that was evicted meanwhile still has its bytes.
    if (local === null) return urls.ofVersion(id, version);
    if (urls.known(id) === undefined) void caches.use(cachedPictureId(id)).catch(() => undefined);
    return urls.urlOf(id, local);
  };

  const addPicture = async (petId: string, picture: FileContent): Promise<void> => {
    checkPicture(picture);
    const pet = await deps.collections.pets.findOne(petId).exec();
    if (pet === null) throw new CommandError('not-found', petNotFound);
    if (pet.deleted) throw new CommandError('not-found', petDeleted);
    const shown = await outbox.readPicture(petId);
    const replaces = shown === null ? [] : [shown.md5];
    const stamp = pictureStamp(pet.edits);
    // The document may name a picture that is not shown: its bytes have not come yet, or another one waits.
    const { profilePictureVersion: version = shown?.md5 } = pet.fields;
    const seenStamp = shown?.md5 === version ? stamp : 0;
    const chosenAtMs = Math.max(deps.correctedNow(), stamp + 1);
    await outbox.addPicture({ petId, ...picture, chosenAtMs, replaces, seenStamp });
  };

  const readFile = async (jobId: string): Promise<FileContent> => {
    const file = await readJob(queue, jobId);
    if (file === null) throw new CommandError('not-found', fileGone);
    return file;
  };

  const write = (work: () => Promise<unknown>): Promise<void> =>
    told(notStored, async () => {
      await work();
      deps.onWritten();
    });

  /** Retries a job if it is parked, and is still as it was read. The server may have the file of a refused upload. */
  const retry = async (job: OutboxJob): Promise<void> => {
    const stage = isAboutTranscript(job.code) ? 'transcribing' : 'uploading';
    if (isParked(job)) await queue.move(job, { ...untried, stage });
  };

  const retryFile = async (jobId: string): Promise<void> => {
    const job = await queue.get(jobId);
    if (job === null) throw new CommandError('not-found', fileGone);
    await retry(job);
  };

  const retryAllFiles = async (): Promise<void> => {
    for (const job of await queue.list()) await retry(job);
  };

  return {
    ready,
    voice: { ...voice, keep: (...recording) => keeping.run(() => voice.keep(...recording)) },
    shared: createSharedItems(deps.shares),
    archive: createArchiveFiles(deps),
    picture: (pet): Live<string | null> => {
      const live = liveFrom(
        () => outbox.watchPicture(pet.id),
        (local) => show(pet, local),
        onReadError,
      );
      return {
        ...live,
        getSnapshot: () => {
          const url = live.getSnapshot();
          return url === undefined ? urls.known(pet.id) : url;
        },
      };
    },
    jobs: () =>
      liveFrom(
        () => queue.watch(),
        (jobs) => jobs.filter(isUnsent),
        onReadError,
      ),
    setProfilePicture: (petId, picture) => write(() => addPicture(petId, picture)),
    retryFile: (jobId) => write(() => retryFile(jobId)),
    retryAllFiles: () => write(retryAllFiles),
    discardFile: (jobId) => write(() => discardJob(queue, jobId, deps.now())),
    readFile: (jobId) => told(notRead, () => readFile(jobId)),
    close: () => {
      unwatch();
      fetcher.close();
      urls.close();
      return keeping.run(async () => undefined);
    },
  };
}
