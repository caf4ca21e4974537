import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { noteTextSchema } from './journal-entry.ts';
import { noteTextMaxLength } from '../limits.ts';
import { noteTooLong } from '../copy/messages.ts';

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
