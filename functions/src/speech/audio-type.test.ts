import { expect, it } from 'vitest';
import { audioTypeOf } from './audio-type.ts';

it.each([
  ['OggS', 'ogg'],
  ['ID3', 'mp3'],
  ['\0\0\0\x18ftypM4A ', 'mp4'],
  ['just text', null],
])('%j is %s', (head, type) => {
  expect(audioTypeOf(Buffer.from(head, 'latin1'))).toBe(type);
});
