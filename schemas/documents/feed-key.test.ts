import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import { feedKey, feedKeyEdge, feedKeyMaxLength, feedKeyMs, isFeedKey } from './feed-key.ts';
import { documentIdMaxLength } from '../limits.ts';

describe('feedKey', () => {
  it('sorts newest first in ascending order', () => {
    const instants = [0, 1, 999, 1_700_000_000_000, 1_700_000_000_001, 8_640_000_000_000_000];
    const keys = instants.map((instant) => feedKey(instant, 'id'));
    expect(keys.toSorted()).toEqual(keys.toReversed());
  });

  it('tells entries of one millisecond apart', () => {
    expect(feedKey(5, 'a')).not.toBe(feedKey(5, 'b'));
  });

  it('has edges between the entries of one millisecond and those of the one before', () => {
    const now = 1_700_000_000_000;
    expect(feedKey(now, '\u{10FFFF}') < feedKeyEdge(now)).toBe(true);
    expect(feedKey(now - 1, '') > feedKeyEdge(now)).toBe(true);
    expect(feedKey(0, 'x') > feedKeyEdge(1)).toBe(true);
    expect(feedKey(1, 'x') < feedKeyEdge(1)).toBe(true);
  });

  it('fits the length that the index allows, for the longest id', () => {
    expect(feedKey(0, 'x'.repeat(documentIdMaxLength))).toHaveLength(feedKeyMaxLength);
  });
});

describe('any two feed keys', () => {
  const instant = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
  const id = fc.string({ minLength: 1, maxLength: documentIdMaxLength });

  it('sort by date, the later one first', () => {
    fc.assert(
      fc.property(fc.tuple(instant, id), fc.tuple(instant, id), (one, other) => {
        fc.pre(one[0] !== other[0]);
        expect(feedKey(...one) < feedKey(...other)).toBe(one[0] > other[0]);
      }),
      fuzzSeed,
    );
  });

  it('are on the sides of an edge that their dates are on', () => {
    fc.assert(
      fc.property(instant, instant, id, (ms, edgeMs, entryId) => {
        expect(feedKey(ms, entryId) < feedKeyEdge(edgeMs)).toBe(ms >= edgeMs);
      }),
      fuzzSeed,
    );
  });

  it('give back their dates, and have the form of a feed key', () => {
    fc.assert(
      fc.property(instant, id, (ms, entryId) => {
        const key = feedKey(ms, entryId);
        expect(feedKeyMs(key)).toBe(ms);
        expect(isFeedKey(key)).toBe(true);
      }),
      fuzzSeed,
    );
  });
});

it.each([
  '',
  'e1',
  feedKeyEdge(1),
  `x${feedKey(1, 'e1')}`,
  feedKey(1, 'e1').slice(1),
  feedKey(1, 'x'.repeat(documentIdMaxLength + 1)),
])('%j has not the form of a feed key', (text) => {
  expect(isFeedKey(text)).toBe(false);
});
