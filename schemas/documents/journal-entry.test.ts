import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { contentFieldNames } from './document.ts';
import { journalEntryTypes, transcriptStates } from './entry-kinds.ts';
import { entryFieldsSchema, noteTextSchema } from './journal-entry.ts';
import {
  contentTypeMaxLength,
  formerTextsMaxLength,
  noteTextMaxLength,
  waveformLength,
} from '../limits.ts';
import { noteTooLong } from '../copy/form-copy.ts';

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

describe('a stored entry', () => {
  const isStored = (changes: object): boolean =>
    v.safeParse(entryFieldsSchema, { createdDate: 5_000, type: 'note', ...changes }).success;

  it('needs no more than a date and a type', () => {
    expect(isStored({})).toBe(true);
    expect(isStored({ createdDate: undefined })).toBe(false);
    expect(isStored({ type: undefined })).toBe(false);
  });

  it('has each text up to its limit', () => {
    const limits = {
      text: noteTextMaxLength,
      fileLocation: 1_024,
      contentType: contentTypeMaxLength,
      formerTexts: formerTextsMaxLength,
      waveform: waveformLength,
    };
    for (const [field, limit] of Object.entries(limits)) {
      expect(isStored({ [field]: 'x'.repeat(limit) })).toBe(true);
      expect(isStored({ [field]: 'x'.repeat(limit + 1) })).toBe(false);
      expect(isStored({ [field]: 7 })).toBe(false);
      expect(isStored({ [field]: null })).toBe(false);
    }
  });

  it('has a text that is empty, if a machine heard nothing', () => {
    expect(isStored({ text: '' })).toBe(true);
  });

  it('was created at a whole millisecond, not before the year 1970', () => {
    expect(isStored({ createdDate: 0 })).toBe(true);
    for (const createdDate of [-1, 0.5, NaN, '5000', null])
      expect(isStored({ createdDate })).toBe(false);
  });

  it('lasts for no negative time', () => {
    expect(isStored({ durationMs: 0 })).toBe(true);
    expect(isStored({ durationMs: 1.5 })).toBe(true);
    expect(isStored({ durationMs: -1 })).toBe(false);
    expect(isStored({ durationMs: '1' })).toBe(false);
  });

  it('is of a known type, in a known state of its transcript', () => {
    for (const type of journalEntryTypes) expect(isStored({ type })).toBe(true);
    for (const transcript of transcriptStates) expect(isStored({ transcript })).toBe(true);
    expect(isStored({ type: 'poem' })).toBe(false);
    expect(isStored({ transcript: 'sung' })).toBe(false);
  });
});

it('every stored field of an entry belongs to exactly one group of the merge', () => {
  const stored = Object.keys(entryFieldsSchema.entries);
  expect(contentFieldNames.entries.toSorted()).toEqual(stored.toSorted());
});
