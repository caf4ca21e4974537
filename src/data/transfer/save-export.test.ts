import { expect, it } from 'vitest';
import { savedText } from './save-export.ts';

it('returns a message for each outcome, none for a closed sheet, and throws if saving failed', () => {
  expect(savedText('saved')).toBe('Saved.');
  expect(savedText('shared')).toBe('Shared.');
  expect(savedText('cancelled')).toBe('');
  expect(savedText('needs-tap')).toBe('Tap once more to save the file.');
  expect(() => savedText('failed')).toThrow('The file could not be saved. Make room');
});
