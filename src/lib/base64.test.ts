import { expect, it } from 'vitest';
import { toBase64 } from './base64.ts';

it.each([0, 1, 2, 8_191, 8_192, 100_001])('writes %i bytes as the standard has it', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) % 256);
  expect(toBase64(bytes.buffer)).toBe(Buffer.from(bytes).toString('base64'));
});
