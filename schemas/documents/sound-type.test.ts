import { expect, it } from 'vitest';
import { soundType } from './sound-type.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

it.each([
  ['OggS\0', 'audio/ogg'],
  ['\x1A\x45\xDF\xA3\x9F\x42\x86\x81\x01\x42\x82\x84webm', 'audio/webm'],
  ['\x1A\x45\xDF\xA3\x9F\x42\x86\x81\x01\x42\x82\x88matroska', null],
  ['\0\0\0\x18ftypM4A ', 'audio/mp4'],
  ['\0\0\0\x20ftypmp42', 'audio/mp4'],
  ['\0\0\0\x18ftypheic', null],
  ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
  ['RIFF\0\0\0\0WEBPVP8 ', null],
  ['fLaC', 'audio/flac'],
  ['ID3\x04', 'audio/mpeg'],
  ['\xFF\xFB\x90', 'audio/mpeg'],
  ['\xFF\xF1\x50', 'audio/aac'],
  ['\xFF\xD8\xFF', null],
  ['\x89PNG\r\n', null],
  ['\xFF\xFEa\0', null],
  ['\xFF', null],
  ['just text', null],
  ['<!doctype html>', null],
  ['#EXTM3U\nfile:///etc/passwd', null],
  ['', null],
])('%j is %s', (head, type) => {
  expect(soundType(bytes(head))).toBe(type);
});
