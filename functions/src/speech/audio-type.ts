import { audioExtension } from '../../../schemas/documents/voice-note.ts';
import { soundType } from '../../../schemas/documents/sound-type.ts';

/** The audio containers that engines read. The name is also the usual file extension. */
const audioTypes = ['webm', 'ogg', 'mp4', 'wav', 'mp3', 'flac', 'aac'] as const;
export type AudioType = (typeof audioTypes)[number];

/**
 * Returns the type by the first bytes, whatever the file is called. Video in the same containers passes, since only its
 * audio is used.
 * @returns null if the bytes begin like no audio.
 */
export function audioTypeOf(bytes: Uint8Array): AudioType | null {
  const extension = audioExtension(soundType(bytes) ?? '');
  return audioTypes.find((type) => type === extension) ?? null;
}
