import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { finish } from '../../limits/slices.ts';
import { encodeBloomFilter, type EncodedBloomFilter } from './bloom-filter.ts';

/** Checks a name as the SDK does; written from the protocol. */
function mightContain({ bits, hashCount }: EncodedBloomFilter, name: string): boolean {
  const bitmap = Buffer.from(bits.bitmap, 'base64');
  const size = BigInt(bitmap.length * 8 - bits.padding);
  const digest = createHash('md5').update(name).digest();
  for (let at = 0n; at < BigInt(hashCount); at++) {
    const hash = digest.readBigUInt64LE(0) + at * digest.readBigUInt64LE(8);
    const bit = Number(BigInt.asUintN(64, hash) % size);
    if (((bitmap[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('the names that a client may keep', () => {
  it.each([0, 1, 50])('are all matched: %i names', (count) => {
    const names = named('kept', count);
    const encoded = finish(encodeBloomFilter(names, () => 0));
    expect(names.every((each) => mightContain(encoded, each))).toBe(true);
    const matched = named('absent', 10_000).filter((each) => mightContain(encoded, each));
    expect(matched.length).toBeLessThan(50);
  });
});
