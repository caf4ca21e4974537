import { createHash } from 'node:crypto';
import { inSlices, type Steps } from '../../limits/slices.ts';

const bitsPerName = 16;
const hashCount = 11;
const maxUint64 = 2n ** 64n;
/** The most unused bits of the last byte. The SDK expects at least one. */
const maxPadding = 7;

export interface EncodedBloomFilter {
  readonly bits: { readonly bitmap: string; readonly padding: number };
  readonly hashCount: number;
}

/**
 * Encodes the names that a client may keep as the protocol specifies: MD5 of the full name, read as two little-endian
 * 64-bit numbers. The filter has a false positive rate of about 1 in 2000; a client with such a name runs the query again.
 * The padding is chosen so that the filter matches none of the names known to be absent.
 */
export function* encodeBloomFilter(
  names: readonly string[],
  absent: readonly string[] = [],
): Steps<EncodedBloomFilter> {
  const bytes = Math.max(1, Math.ceil((names.length * bitsPerName) / 8));
  const hashes: NameHash[] = [];
  yield* inSlices(names, (each) => void hashes.push(hashName(each)));
  const absentHashes = absent.map(hashName);
  for (let padding = 1; ; padding++) {
    const filter = createFilter(bytes, padding);
    yield* inSlices(hashes, (each) => filter.add(each));
    if (padding < maxPadding && absentHashes.some((each) => filter.matches(each))) continue;
    return { bits: { bitmap: filter.bitmap.toString('base64'), padding }, hashCount: hashCount };
  }
}

interface NameHash {
  readonly first: bigint;
  readonly step: bigint;
}

function hashName(name: string): NameHash {
  const digest = createHash('md5').update(name).digest();
  return { first: digest.readBigUInt64LE(0), step: digest.readBigUInt64LE(8) };
}

function createFilter(bytes: number, padding: number) {
  const bitmap = Buffer.alloc(bytes);
  const bitCount = BigInt(bytes * 8 - padding);
  const positions = ({ first, step }: NameHash): readonly number[] =>
    Array.from({ length: hashCount }, (_, at) =>
      Number(((first + BigInt(at) * step) % maxUint64) % bitCount),
    );
  return {
    bitmap,
    add(hash: NameHash) {
      for (const bit of positions(hash))
        bitmap[bit >>> 3] = (bitmap[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    matches: (hash: NameHash) =>
      positions(hash).every((bit) => ((bitmap[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0),
  };
}
