import { describe, expect, it } from 'vitest';
import { feedKey, feedKeyMaxLength } from './feed-key.ts';
import { documentIdMaxLength } from './limits.ts';

describe('feedKey', () => {
  it('sorts newest first in ascending order', () => {
    const instants = [0, 1, 999, 1_700_000_000_000, 1_700_000_000_001, 8_640_000_000_000_000];
    const keys = instants.map((instant) => feedKey(instant, 'id'));
    expect(keys.toSorted()).toEqual(keys.toReversed());
  });

  it('tells entries of one millisecond apart', () => {
    expect(feedKey(5, 'a')).not.toBe(feedKey(5, 'b'));
  });

  it('fits the length that the index allows, for the longest id', () => {
    expect(feedKey(0, 'x'.repeat(documentIdMaxLength))).toHaveLength(feedKeyMaxLength);
  });
});
