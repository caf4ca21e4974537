import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { feedKey, feedKeyMaxLength, noteTextSchema } from './journal-entry.ts';
import { documentIdMaxLength, noteTextMaxLength } from './limits.ts';
import { noteTooLong } from './messages.ts';

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

describe('noteTextSchema', () => {
  it('trims, and refuses what is empty then', () => {
    expect(v.parse(noteTextSchema, '  Ducks \n')).toBe('Ducks');
    expect(v.safeParse(noteTextSchema, ' \n\t ').success).toBe(false);
  });

  it('takes the longest note and refuses one character more, with a sentence', () => {
    expect(v.safeParse(noteTextSchema, 'x'.repeat(noteTextMaxLength)).success).toBe(true);
    const tooLong = v.safeParse(noteTextSchema, 'x'.repeat(noteTextMaxLength + 1));
    expect(tooLong.issues?.[0].message).toBe(noteTooLong);
  });
});
