import { describe, expect, it } from 'vitest';
import { feedKey, feedKeyEdge, feedKeyMaxLength } from './feed-key.ts';
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
