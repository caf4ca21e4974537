import { expect, it } from 'vitest';
import { savedText } from './save-export.ts';

it('an owner is told what became of a file; one who closed the sheet knows', () => {
  expect(savedText('saved')).toBe('Saved.');
  expect(savedText('shared')).toBe('Shared.');
  expect(savedText('cancelled')).toBe('');
  expect(savedText('needs-tap')).toBe('Tap once more to save the file.');
  expect(() => savedText('failed')).toThrow('The file could not be saved. Make room');
});
