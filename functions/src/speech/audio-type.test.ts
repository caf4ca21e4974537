import { describe, expect, it } from 'vitest';
import { audioTypeOf } from './audio-type.ts';

const bytesOf = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) =>
        typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
      ),
    ),
  );

const ebml = [0x1a, 0x45, 0xdf, 0xa3];

describe('the type of audio', () => {
  it.each([
    ['webm', bytesOf(ebml, [0x9f, 0x42, 0x82, 0x84], 'webm')],
    ['ogg', bytesOf('OggS', [0, 2])],
    ['mp4', bytesOf([0, 0, 0, 0x20], 'ftypmp42')],
    ['mp4', bytesOf([0, 0, 0, 0x1c], 'ftypM4A ')],
    ['wav', bytesOf('RIFF', [1, 0, 0, 0], 'WAVEfmt ')],
    ['flac', bytesOf('fLaC', [0])],
    ['mp3', bytesOf('ID3', [4, 0])],
    ['mp3', bytesOf([0xff, 0xfb, 0x90, 0x64])],
    ['aac', bytesOf([0xff, 0xf1, 0x50, 0x80])],
  ])('is %s by its first bytes', (type, bytes) => {
    expect(audioTypeOf(bytes)).toBe(type);
  });

  it.each([
    ['nothing', bytesOf()],
    ['a page', bytesOf('<!doctype html>')],
    ['a PNG', bytesOf([0x89], 'PNG\r\n')],
    ['a JPEG', bytesOf([0xff, 0xd8, 0xff, 0xe0])],
    ['a WebP', bytesOf('RIFF', [1, 0, 0, 0], 'WEBPVP8 ')],
    ['a HEIC', bytesOf([0, 0, 0, 0x18], 'ftypheic')],
    ['a film of Matroska', bytesOf(ebml, [0x9f, 0x42, 0x82, 0x88], 'matroska')],
    ['a playlist', bytesOf('#EXTM3U\nfile:///etc/passwd')],
    ['a UTF-16 text', bytesOf([0xff, 0xfe, 0x61, 0x00])],
    ['one byte', bytesOf([0xff])],
  ])('%s is none', (_, bytes) => {
    expect(audioTypeOf(bytes)).toBeNull();
  });
});
