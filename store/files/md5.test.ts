import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import { md5Base64 } from './md5.ts';

it('hashes any bytes as Node does, in base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const copy = Uint8Array.from(bytes).buffer;
      expect(md5Base64(copy)).toBe(createHash('md5').update(bytes).digest('base64'));
    }),
    fuzzSeed,
  );
});
