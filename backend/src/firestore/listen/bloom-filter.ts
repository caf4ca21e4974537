import { createHash } from 'node:crypto';
import { inSlices, type Steps } from '../../limits/slices.ts';

const bitsPerName = 16;
const hashCount = 11;
/** With fewer bytes, a few names set most of the bits. */
const minBytes = 32;
const maxUint64 = 2n ** 64n;
/** The unused bits of the last byte. The SDK expects at least one. */
const padding = 1;

export interface EncodedBloomFilter {
  readonly bits: { readonly bitmap: string; readonly padding: number };
  readonly hashCount: number;
}

/**
 * Encodes the names that a client may keep as the protocol specifies: MD5 of the full name, read as two little-endian
 * 64-bit numbers. The filter has a false positive rate of about 1 in 2000; a client with such a name runs the query again.
 */
export function* encodeBloomFilter(
  names: readonly string[],
  elapsedMs: () => number,
): Steps<EncodedBloomFilter> {
  const bitmap = Buffer.alloc(Math.max(minBytes, Math.ceil((names.length * bitsPerName) / 8)));
  const bitCount = BigInt(bitmap.length * 8 - padding);
  const add = (name: string) => {
    const digest = createHash('md5').update(name).digest();
    const [first, step] = [digest.readBigUInt64LE(0), digest.readBigUInt64LE(8)];
    for (let at = 0n; at < hashCount; at++) {
      const bit = Number(((first + at * step) % maxUint64) % bitCount);
      bitmap[bit >>> 3] = (bitmap[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  };
  yield* inSlices(names, add, elapsedMs);
  return { bits: { bitmap: bitmap.toString('base64'), padding }, hashCount };
}
