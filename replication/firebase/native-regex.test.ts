import { expect, it } from 'vitest';
import { RE2JS } from './native-regex.ts';

it('matches the whole text, or finds the pattern in it, as the Firestore SDK expects of re2js', () => {
  const walks = RE2JS.compile('walk|run');
  expect(walks.matches('walk')).toBe(true);
  expect(walks.matches('a walk')).toBe(false);
  expect(walks.test('a walk')).toBe(true);
  expect(walks.test('a swim')).toBe(false);
});

it('refuses an invalid pattern', () => {
  expect(() => RE2JS.compile('(')).toThrow(SyntaxError);
});
