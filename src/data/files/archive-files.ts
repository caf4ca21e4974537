import { fileMaxBytes } from '../../../schemas/limits.ts';
import { pictureExtensions, pictureJobId } from '../../../schemas/local/outbox-job.ts';
import { audioExtension, voiceNoteJobId } from '../../../schemas/documents/voice-note.ts';
import type { LocalPicture, Outbox } from '../../../store/files/outbox.ts';
import type { ArchiveFiles, Picture, PicturedPet } from './files.ts';
import type { PictureFetcherDeps } from './picture-fetcher.ts';
import type { Sound, SpokenEntry } from './voice-files.ts';

export interface ArchiveFilesDeps {
  readonly outbox: Outbox;
  readonly download: PictureFetcherDeps['download'];
}

export function canTakePicture({ bytes, contentType }: Picture): boolean {
  const isOfType = pictureExtensions[contentType] !== undefined;
  return isOfType && bytes.byteLength > 0 && bytes.byteLength <= fileMaxBytes;
}

export function canTakeSound({ bytes, contentType }: Sound): boolean {
  const isOfType = audioExtension(contentType) !== null;
  return isOfType && bytes.byteLength > 0 && bytes.byteLength <= fileMaxBytes;
}

function isCurrent(pet: PicturedPet, local: LocalPicture): boolean {
  return local.isWaiting || local.md5 === pet.fields.profilePictureVersion;
}

export function createArchiveFiles({ outbox, download }: ArchiveFilesDeps): ArchiveFiles {
  const { queue, caches } = outbox;

  const recordingHere = async ({
    id,
    fields: { fileLocation },
  }: SpokenEntry): Promise<Sound | null> => {
    const job = await queue.get(voiceNoteJobId(id));
    const bytes = job === null ? null : await queue.readBytes(job);
    if (job !== null && bytes !== null) return { bytes, contentType: job.contentType };
    return fileLocation === undefined ? null : caches.recording(fileLocation);
  };

  return {
    recording: async (entry, mayFetch) => {
      const here = await recordingHere(entry);
      const path = entry.fields.fileLocation;
      if (here !== null || path === undefined || !mayFetch) return here;
      const fetched = await download(path);
      if (fetched === null) return null;
      return { bytes: fetched.bytes, contentType: entry.fields.contentType ?? fetched.contentType };
    },
    picture: async (pet, mayFetch) => {
      const local = await outbox.readPicture(pet.id);
      const path = pet.fields.profilePicturePath;
      if (local !== null && (isCurrent(pet, local) || !mayFetch)) return local;
      if (path === undefined || !mayFetch) return null;
      return (await download(path)) ?? local;
    },
    hasWaiting: async (of) => {
      const jobId = 'petId' in of ? pictureJobId(of.petId) : voiceNoteJobId(of.entryId);
      return (await queue.get(jobId)) !== null;
    },
    planPicture: (petId, { bytes, contentType }, chosenAtMs) =>
      outbox.planPicture({ petId, bytes, contentType, chosenAtMs, replaces: [] }),
    planRecording: async ({ bytes, durationMs, ...recording }) =>
      (await outbox.recordings.plan({ recording, bytes, durationMs, stage: 'queued' })).writes,
  };
}
