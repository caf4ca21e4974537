import { fileMaxBytes } from '../../../schemas/limits.ts';
import {
  sharedFileMaxBytes,
  sharedKeptMs,
  sharedMaxFiles,
  sharedSoundMaxMs,
  type SharedFile,
  type SharedItem,
} from '../../../schemas/local/shared-item.ts';
import type { SoundFile } from '../../platform/media/sound-file.ts';

const megabytes = (bytes: number): string => String(bytes / 1_024 / 1_024);
const days = String(sharedKeptMs / 24 / 3_600_000);

export const sharedGone = `This is not here any more. What you share is kept until you use it, for ${days} days at most.`;
export const sharedNotKept =
  'What you shared could not be stored on this device. Free some space and share it again.';
export const noRoomForText =
  'The note box has no room for this on this device. Free some space and try again.';
export const nothingShared =
  'Nothing has arrived. Open PawPals once with a connection, then share it again.';
const notASound = 'This device cannot read this sound.';
const tooLong = `This is longer than ${String(sharedSoundMaxMs / 60_000)} minutes. A voice note can be no longer.`;
const tooLarge = `This is larger than ${megabytes(fileMaxBytes)} MB. A voice note can be no larger.`;

export function notStoredText({ contentType }: SharedFile): string {
  const isKnown = /^(image|audio)\//.test(contentType);
  return isKnown
    ? `This was not taken. At most ${String(sharedMaxFiles)} files can be shared at once, each of ${megabytes(sharedFileMaxBytes)} MB at most.`
    : 'This is neither a photo nor a sound and was not taken.';
}

/** Returns the reason why a sound cannot become a voice note; null if it can. */
export function soundProblem(sound: SoundFile | null, byteLength: number): string | null {
  if (byteLength > fileMaxBytes) return tooLarge;
  if (sound === null) return notASound;
  return sound.durationMs > sharedSoundMaxMs ? tooLong : null;
}

export function isSound({ contentType, bytes }: SharedFile): boolean {
  return bytes !== null && contentType.startsWith('audio/');
}

/** Returns the question for the owner of more than one dog. */
export function petQuestion({ files }: SharedItem): string {
  const [first, ...others] = files;
  if (first === undefined || others.length > 0) return 'Whose journal is it for?';
  return isSound(first) ? 'Whose journal is the voice note for?' : 'Which dog is the photo of?';
}
