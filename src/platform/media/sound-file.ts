import { atom } from 'jotai';
import { waveformLength } from '../../../schemas/limits.ts';
import { soundHeadLength, soundType } from '../../lib/media/sound-kind.ts';
import { drawWaveform } from '../../lib/media/waveform.ts';

export interface SoundFile {
  /** As its bytes say. */
  readonly contentType: string;
  readonly durationMs: number;
  /** See {@link drawWaveform}. */
  readonly waveform: string;
}

/** @returns null if it is no sound that this device can read. */
export type ReadSoundFile = (bytes: ArrayBuffer) => Promise<SoundFile | null>;

/** Unpacked to measure it: recordings of a browser do not say how long they are. */
export async function readSoundFile(bytes: ArrayBuffer): Promise<SoundFile | null> {
  const contentType = soundType(
    new Uint8Array(bytes, 0, Math.min(bytes.byteLength, soundHeadLength)),
  );
  if (contentType === null) return null;
  try {
    // The lowest rate that every browser has: nobody listens to it. It takes the bytes away, so it gets a copy.
    const context = new OfflineAudioContext(1, 1, 8_000);
    const sound = await context.decodeAudioData(bytes.slice(0));
    const waveform = drawWaveform(sound.getChannelData(0), waveformLength);
    return { contentType, durationMs: Math.round(sound.duration * 1_000), waveform };
  } catch {
    return null;
  }
}

/** That of the browser; tests set one of their own. */
export const readSoundFileAtom = atom<{ readonly read: ReadSoundFile }>({ read: readSoundFile });
