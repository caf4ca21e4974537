import { describe, expect, it } from 'vitest';
import { parkedFileReason } from './file-copy.ts';

describe('why the server does not have a file', () => {
  it.each([
    ['http-402', 'The server has no room left for your files. Delete some, then try again.'],
    ['http-413', 'It is too large for the server.'],
    ['http-422', 'The server refused it (http-422).'],
  ])('with code %s: %s', (code, reason) => {
    expect(parkedFileReason(code)).toBe(`Upload failed. ${reason} It is kept here.`);
  });
});
