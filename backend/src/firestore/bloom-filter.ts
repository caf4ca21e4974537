import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.ts';

const BITS_PER_NAME = 16;
const HASH_COUNT = 11;
const MAX_UINT64 = 2n ** 64n;

/**
 * The names a client may keep, as the protocol has it: MD5 of the full name, read as two
 * little-endian 64-bit numbers. About one name in 2000 is kept wrongly; the client notices by the count.
 */
export function encodeBloomFilter(names: readonly string[]): JsonObject {
  const bytes = Buffer.alloc(Math.max(1, Math.ceil((names.length * BITS_PER_NAME) / 8)));
  const bitCount = BigInt(bytes.length * 8);
  for (const name of names) {
    const digest = createHash('md5').update(name).digest();
    const step = digest.readBigUInt64LE(8);
    let hash = digest.readBigUInt64LE(0);
    for (let at = 0; at < HASH_COUNT; at++) {
      const bit = Number((hash % MAX_UINT64) % bitCount);
      bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) | (1 << (bit & 7));
      hash += step;
    }
  }
  return { bits: { bitmap: bytes.toString('base64'), padding: 0 }, hashCount: HASH_COUNT };
}
