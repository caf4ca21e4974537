import { sampleRate, toWav } from '../../functions/src/speech/pcm.ts';

/** A tone as loud as somebody who talks; servers that play an engine take it for speech. */
export function toneWav(seconds = 2, frequency = 440): Uint8Array<ArrayBuffer> {
  const samples = Int16Array.from(
    { length: seconds * sampleRate },
    (_, at) => 8_000 * Math.sin((2 * Math.PI * frequency * at) / sampleRate),
  );
  return toWav(samples);
}

/** A quiet room: noise far below any voice, the same every time. */
export const silentWav = (seconds = 2): Uint8Array<ArrayBuffer> => noise(seconds, 20);

/** Wind in the microphone, as loud as a voice. */
export const noiseWav = (seconds = 2): Uint8Array<ArrayBuffer> => noise(seconds, 9_000);

function noise(seconds: number, peak: number): Uint8Array<ArrayBuffer> {
  let seed = 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  const samples = Int16Array.from(
    { length: seconds * sampleRate },
    () => (next() % (2 * peak + 1)) - peak,
  );
  return toWav(samples);
}
