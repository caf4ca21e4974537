/** The sample rate that engines expect, with mono 16-bit samples. */
export const sampleRate = 16_000;

const frameSamples = (sampleRate * 30) / 1_000;
/** Speech is at -40 dBFS and above; a quiet room, recorded with automatic gain, is below -55. */
const silenceDecibels = -55;
const silenceLevel = 32_768 * 10 ** (silenceDecibels / 20);
const wavHeaderBytes = 44;

/** Whether no 30 ms of it are loud enough for a voice. */
export function isSilent(samples: Int16Array): boolean {
  for (let at = 0; at < samples.length; at += frameSamples) {
    const frame = samples.subarray(at, at + frameSamples);
    const energy = frame.reduce((sum, sample) => sum + sample * sample, 0);
    if (Math.sqrt(energy / frame.length) > silenceLevel) return false;
  }
  return true;
}

/** Returns a WAV file, which every engine reads. */
export function toWav(samples: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(wavHeaderBytes + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const text = (at: number, word: string) => bytes.set(Buffer.from(word, 'latin1'), at);
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, index) => view.setInt16(wavHeaderBytes + index * 2, sample, true));
  return bytes;
}
