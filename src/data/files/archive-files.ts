import { fileMaxBytes } from '../../../schemas/limits.ts';
import { pictureVersionOf } from '../../../schemas/local/file-bytes.ts';
import { placeFileJobId, type PlaceFileJob } from '../../../schemas/local/local-record.ts';
import { pictureExtensions, pictureJobId } from '../../../schemas/local/outbox-job.ts';
import { isChosenLater } from '../../../schemas/local/place-file.ts';
import { fileOf } from '../../../schemas/local/remove-file.ts';
import { audioExtension, voiceNoteJobId } from '../../../schemas/documents/voice-note.ts';
import type { LocalPicture, Outbox } from '../../../store/files/outbox.ts';
import { findPlacedPicture } from '../../../store/files/placed-picture.ts';
import type { Collections } from '../../../store/rxdb/database.ts';
import type { ArchiveFiles, Download, PicturedPet } from './files.ts';
import { readFileOf, readJob } from './outbox-jobs.ts';
import type { RecordingLocks } from './outbox-voice.ts';
import type { FileContent, WholeRecording } from './voice-files.ts';

export interface ArchiveFilesDeps {
  readonly outbox: Outbox;
  readonly collections: Pick<Collections, 'local'>;
  readonly locks: Pick<RecordingLocks, 'held'>;
  readonly download: Download;
}

function hasRightSize({ bytes }: FileContent): boolean {
  return bytes.byteLength > 0 && bytes.byteLength <= fileMaxBytes;
}

export function canTakePicture(file: FileContent): boolean {
  return pictureExtensions[file.contentType] !== undefined && hasRightSize(file);
}

export function canTakeSound(file: FileContent): boolean {
  return audioExtension(file.contentType) !== null && hasRightSize(file);
}

function isCurrent(pet: PicturedPet, local: LocalPicture): boolean {
  return local.isWaiting || local.md5 === pet.fields.profilePictureVersion;
}

const fetchesNone: Download = async () => null;

export function createArchiveFiles({
  outbox,
  collections,
  locks,
  download: ask,
}: ArchiveFilesDeps): ArchiveFiles {
  const { queue, caches, recordings } = outbox;

  /** Returns the job that attaches a file to a document that was restored or moved; null if there is none. */
  const placementOf = async (documentId: string): Promise<PlaceFileJob | null> => {
    const row = await collections.local.findOne(placeFileJobId(documentId)).exec();
    return row?.data.kind === 'place-file' ? row.data : null;
  };

  const fileOfJob = (jobId: string) => readJob(queue, jobId);

  /**
   * Returns the recording of an entry that was moved or whose deletion was undone: a job of the entry before has it,
   * until the outbox hands it over.
   */
  const leftBehind = async (entryId: string, placement: PlaceFileJob | null) => {
    if (placement !== null) return fileOfJob(voiceNoteJobId(placement.sourceId));
    return readFileOf(queue, await queue.ofEntry(entryId));
  };

  const readUnfinished = async (id: string): Promise<WholeRecording | null> => {
    const found = await recordings.read(id);
    if (found === null || found.bytes.byteLength === 0) return null;
    const { recording, bytes, durationMs } = found;
    return { ...recording, bytes, durationMs };
  };

  const placedPicture = async (petId: string, download: Download): Promise<FileContent | null> => {
    const placement = await placementOf(petId);
    if (placement === null) return null;
    const own = await queue.get(pictureJobId(petId));
    if (own !== null && isChosenLater(own, placement)) return null;
    const { sourceId } = placement;
    const left = sourceId === petId ? null : await fileOfJob(pictureJobId(sourceId));
    return left ?? findPlacedPicture({ caches, download }, placement, petId);
  };

  return {
    download: ask,
    recording: async ({ id, fields }, download = fetchesNone) => {
      const own = await fileOfJob(voiceNoteJobId(id));
      if (own !== null) return own;
      const placement = await placementOf(id);
      const path = fields.fileLocation ?? placement?.objectName;
      const left = fields.fileLocation === undefined ? await leftBehind(id, placement) : null;
      if (left !== null) return left;
      if (path === undefined || path === null) {
        // It may have been finished since its job was looked for.
        return (await readUnfinished(id)) ?? fileOfJob(voiceNoteJobId(id));
      }
      const cached = await caches.recording(path);
      if (cached !== null) return cached;
      const fetched = await download(path);
      if (fetched === null) return null;
      return { bytes: fetched.bytes, contentType: fields.contentType ?? fetched.contentType };
    },
    picture: async (pet, download = fetchesNone) => {
      const placed = await placedPicture(pet.id, download);
      if (placed !== null) return { ...placed, isOlder: false };
      const local = await outbox.readPicture(pet.id);
      if (local !== null && isCurrent(pet, local)) return { ...local, isOlder: false };
      const path = pet.fields.profilePicturePath;
      const fetched = path === undefined ? null : await download(path);
      if (fetched !== null) return { ...fetched, isOlder: false };
      return local && { ...local, isOlder: true };
    },
    ofVersion: async (version, download = fetchesNone) => {
      const { collection, documentId, reason } = version;
      const path = fileOf(version);
      const picture = pictureVersionOf(version);
      const idOf = collection === 'pets' ? pictureJobId : voiceNoteJobId;
      // A deleted document that is restored gets the file of its job, which still waits.
      const job = reason === 'deleted' ? await fileOfJob(idOf(documentId)) : null;
      const kept = job ?? (picture && (await caches.version(picture)));
      if (kept !== null || path === null) return kept;
      const cached = picture === null ? await caches.recording(path) : null;
      if (cached !== null) return cached;
      const fetched = await download(path);
      return picture === null || fetched?.md5 === picture.md5 ? fetched : null;
    },
    unfinished: async () => {
      const stored = await recordings.list();
      const held = await locks.held();
      const found = await Promise.all(stored.map(({ id }) => readUnfinished(id)));
      return found.flatMap((one) =>
        one === null ? [] : { ...one, isInProgress: held.has(one.id) },
      );
    },
    planPicture: async (picture) => {
      const from = await queue.get(pictureJobId(picture.petId));
      return (await readFileOf(queue, from)) === null ? outbox.planPicture(picture, from) : {};
    },
    planRecording: async ({ bytes, durationMs, ...recording }, objectName) => {
      const stage = objectName === null ? 'queued' : 'uploading';
      return (await recordings.plan({ recording, bytes, durationMs, stage, objectName })).writes;
    },
  };
}
