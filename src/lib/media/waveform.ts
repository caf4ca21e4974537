const loudest = 15;

/** Returns the samples of one of several equal slices. */
function sliceOf(samples: Float32Array, { index, count }: { index: number; count: number }) {
  const length = samples.length / count;
  return samples.subarray(Math.floor(index * length), Math.floor((index + 1) * length));
}

/** Returns the root mean square, because peaks alone would show each click as loud as a voice. */
function loudness(samples: Float32Array): number {
  const sum = samples.reduce((total, sample) => total + sample * sample, 0);
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

/**
 * Returns the waveform of a sound: one hexadecimal digit for each of `count` equal slices, `f` for the loudest. Silence
 * is all zeros. @param samples from -1 to 1.
 */
export function drawWaveform(samples: Float32Array, count: number): string {
  const levels = Array.from({ length: count }, (_, index) =>
    loudness(sliceOf(samples, { index, count })),
  );
  const highest = Math.max(...levels);
  const digit = (level: number): string =>
    (highest === 0 ? 0 : Math.round((level / highest) * loudest)).toString(16);
  return levels.map(digit).join('');
}

/** Returns the heights of a waveform's bars, from 0 to 1. An unknown or invalid waveform has `count` flat bars. */
export function barsOf(waveform: string | undefined, count: number): readonly number[] {
  const digits = /^[0-9a-f]+$/.test(waveform ?? '') ? (waveform ?? '').split('') : [];
  if (digits.length === 0) return Array.from({ length: count }, () => 0);
  return digits.map((digit) => Number.parseInt(digit, 16) / loudest);
}
