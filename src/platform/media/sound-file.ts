import { atom } from 'jotai';
import { waveformLength } from '../../../schemas/limits.ts';
import { soundType } from '../../../schemas/documents/sound-type.ts';
import { drawWaveform } from '../../lib/media/waveform.ts';

export interface SoundFile {
  /** The content type by its bytes. */
  readonly contentType: string;
  readonly durationMs: number;
  /** See {@link drawWaveform}. */
  readonly waveform: string;
}

/** Reads a sound. @returns null if this device cannot read it. */
export type ReadSoundFile = (bytes: ArrayBuffer) => Promise<SoundFile | null>;

/** Decodes the sound to measure it, because recordings of a browser do not contain their length. */
export async function readSoundFile(bytes: ArrayBuffer): Promise<SoundFile | null> {
  const contentType = soundType(new Uint8Array(bytes));
  if (contentType === null) return null;
  try {
    // The sample rate is the lowest that every browser supports, because nobody listens to the result. Decoding
    // detaches the bytes, so it gets a copy.
    const context = new OfflineAudioContext(1, 1, 8_000);
    const sound = await context.decodeAudioData(bytes.slice(0));
    const waveform = drawWaveform(sound.getChannelData(0), waveformLength);
    return { contentType, durationMs: Math.round(sound.duration * 1_000), waveform };
  } catch {
    return null;
  }
}

/** The browser's decoder; tests set their own. */
export const readSoundFileAtom = atom<{ readonly read: ReadSoundFile }>({ read: readSoundFile });
