import { soundType } from '../../../schemas/documents/sound-type.ts';
import { audioExtension, type AudioExtension } from '../../../schemas/documents/voice-note.ts';

/** The audio containers that engines read, by their usual file extensions. */
export type AudioType = AudioExtension;

/**
 * Returns the type by the first bytes, whatever the file is called. Video in the same containers passes, since only its
 * audio is used.
 * @returns null if the bytes begin like no audio.
 */
export function audioTypeOf(bytes: Uint8Array): AudioType | null {
  return audioExtension(soundType(bytes) ?? '');
}
