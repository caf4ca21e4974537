import { describe, expect, it } from 'vitest';
import { transcriptStates } from './entry-kinds.ts';
import { textAuthor } from './text-author.ts';

describe('the author of a text', () => {
  it('is a person for a note, which has no transcript', () => {
    expect(textAuthor({ text: 'Ducks' })).toBe('person');
  });

  it('is a machine in each state of a transcript, except the one that a person has corrected', () => {
    for (const transcript of transcriptStates) {
      const expected = transcript === 'edited' ? 'person' : 'machine';
      expect(textAuthor({ transcript })).toBe(expected);
      expect(textAuthor({ text: 'Ducks', transcript })).toBe(expected);
    }
  });

  it('is a person for a corrected text that was cleared afterwards', () => {
    expect(textAuthor({ transcript: 'edited' })).toBe('person');
  });

  it('is nobody if there is neither a text nor a transcript', () => {
    expect(textAuthor({})).toBeNull();
  });

  it('is a person if the state was written by a newer version of the app', () => {
    expect(textAuthor({ text: 'Ducks', transcript: 'sung' })).toBe('person');
  });
});
