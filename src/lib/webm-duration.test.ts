import { expect, it } from 'vitest';
import { withWebmDuration } from './webm-duration.ts';

const scale = [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40];
const before = [0x1a, 0x45, 0xdf, 0xa3, 0x80];
const after = [0x16, 0x54, 0xae, 0x6b, 0x80];
/** 6000 as a double. */
const sixSeconds = [0x44, 0x89, 0x88, 0x40, 0xb7, 0x70, 0, 0, 0, 0, 0];

function file(content: readonly number[]): ArrayBuffer {
  const info = [0x15, 0x49, 0xa9, 0x66, 0x01, 0, 0, 0, 0, 0, 0, content.length, ...content];
  return new Uint8Array([...before, ...info, ...after]).buffer;
}

async function bytesOf(blob: Blob | null): Promise<ArrayBuffer | undefined> {
  return blob?.arrayBuffer();
}

it('writes the length where Firefox has left 0', async () => {
  const zero = [0x44, 0x89, 0x88, 0, 0, 0, 0, 0, 0, 0, 0];
  const written = withWebmDuration(file([...scale, ...zero, 0x4d, 0x80, 0x80]), 6_000);
  expect(await bytesOf(written)).toEqual(file([...scale, ...sixSeconds, 0x4d, 0x80, 0x80]));
});

it('adds the length that Chromium has not written', async () => {
  const written = withWebmDuration(file([...scale, 0x4d, 0x80, 0x80]), 6_000);
  expect(await bytesOf(written)).toEqual(file([...sixSeconds, ...scale, 0x4d, 0x80, 0x80]));
});

it.each([
  ['another kind of file', new TextEncoder().encode('OggS and more').buffer],
  ['a head without its unit of time', file([0x4d, 0x80, 0x80])],
  ['a head that ends before its content', file(scale).slice(0, 14)],
])('leaves %s alone', (_, bytes) => {
  expect(withWebmDuration(bytes, 6_000)).toBeNull();
});
