import { expect, it } from 'vitest';
import { isSilent, sampleRate, toWav } from './pcm.ts';

const tone = (peak: number) =>
  Int16Array.from({ length: sampleRate }, (_, at) => peak * Math.sin(at / 5));

it('a voice is heard though all the rest is still, and a quiet room is not', () => {
  expect(isSilent(tone(300))).toBe(false);
  expect(isSilent(tone(40))).toBe(true);
  expect(isSilent(new Int16Array(sampleRate))).toBe(true);
  const late = new Int16Array(sampleRate * 3);
  late.set(tone(3_000).subarray(0, 1_600), sampleRate * 2);
  expect(isSilent(late)).toBe(false);
});

it('nothing at all is silence', () => {
  expect(isSilent(new Int16Array())).toBe(true);
});

it('a WAV file says what is in it', () => {
  const wav = toWav(Int16Array.of(1, -2));
  const view = new DataView(wav.buffer);
  expect(Buffer.from(wav.subarray(0, 16)).toString('latin1')).toMatch(/^RIFF.{4}WAVEfmt $/s);
  expect([view.getUint32(4, true), view.getUint32(24, true), view.getUint32(40, true)]).toEqual([
    40,
    sampleRate,
    4,
  ]);
  expect([view.getInt16(44, true), view.getInt16(46, true), wav.length]).toEqual([1, -2, 48]);
});
