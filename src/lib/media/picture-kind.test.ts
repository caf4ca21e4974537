import { expect, it } from 'vitest';
import { pictureKind } from './picture-kind.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...new TextEncoder().encode(part)] : part,
    ),
  );

it.each([
  ['jpeg', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF')],
  ['heic', bytes([0, 0, 0, 24], 'ftypheic', [0, 0, 0, 0])],
  ['heic', bytes([0, 0, 0, 24], 'ftypmif1')],
  ['other', bytes([0, 0, 0, 24], 'ftypavif')],
  ['other', bytes([0x89], 'PNG\r\n')],
  ['other', bytes('a note, called walk.jpg')],
  ['other', bytes()],
])('tells %s by the first bytes', (kind, head) => {
  expect(pictureKind(head)).toBe(kind);
});
