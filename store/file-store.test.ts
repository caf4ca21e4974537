import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictureBytesId } from '../schemas/local/file-bytes.ts';
import { fuzzSeed } from '../tests/support/fuzz-runs.ts';
import { beyondRoom, type ListedBytes } from './file-store.ts';

const none: ReadonlySet<string> = new Set();
const listed = (id: string, byteLength = 4): ListedBytes => ({
  id,
  documentId: `document of ${id}`,
  usedAtMs: 0,
  byteLength,
});
const oldestFirst = [listed('a'), listed('b'), listed('c')];

describe('the bytes to evict', () => {
  it('are none within the limit, to the last byte', () => {
    expect(beyondRoom(oldestFirst, none, { maxBytes: 12, withoutPets: none })).toEqual([]);
    expect(beyondRoom(oldestFirst, none, { maxBytes: 11, withoutPets: none })).toEqual(['a']);
  });

  it('are the least recently used ones', () => {
    expect(beyondRoom(oldestFirst, none, { maxBytes: 4, withoutPets: none })).toEqual(['b', 'a']);
    expect(beyondRoom(oldestFirst, none, { maxBytes: 0, withoutPets: none })).toHaveLength(3);
  });

  it('are not those that are needed, which take no room from the others', () => {
    const needed = new Set(['a', 'c']);
    expect(beyondRoom(oldestFirst, needed, { maxBytes: 4, withoutPets: none })).toEqual([]);
    expect(beyondRoom(oldestFirst, needed, { maxBytes: 0, withoutPets: none })).toEqual(['b']);
  });

  it('are all pictures of a pet that is gone, however much room there is', () => {
    const withoutPets = new Set(['document of b']);
    expect(beyondRoom(oldestFirst, none, { maxBytes: 99, withoutPets })).toEqual(['b']);
    expect(beyondRoom(oldestFirst, none, { maxBytes: 8, withoutPets })).toEqual(['b']);
  });

  it('are all versions that nobody needs, which take no room from the others', () => {
    const version = listed(pictureBytesId({ petId: 'p1', md5: 'm' }), 99);
    const all = [...oldestFirst, version];
    expect(beyondRoom(all, none, { maxBytes: 12, withoutPets: none })).toEqual([version.id]);
    expect(beyondRoom(all, new Set([version.id]), { maxBytes: 12, withoutPets: none })).toEqual([]);
  });
});

it('for any cache: what stays fits the limit, and was used later than all that goes', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 9 });
  fc.assert(
    fc.property(lengths, fc.nat(30), (byteLengths, maxBytes) => {
      const found = byteLengths.map((byteLength, index) => listed(String(index), byteLength));
      const gone = new Set(beyondRoom(found, none, { maxBytes, withoutPets: none }));
      const kept = found.filter(({ id }) => !gone.has(id));
      expect(kept.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(
        maxBytes,
      );
      expect(found.slice(gone.size)).toEqual(kept);
      const withNext = found.slice(Math.max(0, gone.size - 1));
      const sizeWithNext = withNext.reduce((sum, { byteLength }) => sum + byteLength, 0);
      expect(gone.size === 0 || sizeWithNext > maxBytes).toBe(true);
    }),
    fuzzSeed,
  );
});
