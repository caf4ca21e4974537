import { describe, expect, it } from 'vitest';
import { barsOf, drawWaveform } from './waveform.ts';

describe('a waveform', () => {
  it('has a digit for each slice, the loudest being f', () => {
    const samples = Float32Array.from([0, 0, 0.1, -0.1, 0.2, -0.2, 0.05, 0.05]);
    expect(drawWaveform(samples, 4)).toBe('08f4');
  });

  it('of silence, and of no samples, is flat', () => {
    expect(drawWaveform(new Float32Array(100), 4)).toBe('0000');
    expect(drawWaveform(new Float32Array(0), 4)).toBe('0000');
    expect(drawWaveform(Float32Array.from([0.5]), 2)).toBe('0f');
  });

  it('is read as heights from 0 to 1', () => {
    expect(barsOf('0f', 4)).toEqual([0, 1]);
  });

  it.each([undefined, '', 'loud', '0F'])('%o is flat', (waveform) => {
    expect(barsOf(waveform, 4)).toEqual([0, 0, 0, 0]);
  });
});
