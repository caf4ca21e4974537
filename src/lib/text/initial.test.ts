import { expect, it } from 'vitest';
import { initialOf } from './initial.ts';

it.each([
  [' bramble', 'B'],
  ['e\u0301clair', 'E\u0301'],
  ['🇸🇪 Åke', '🇸🇪'],
  ['👨‍👩‍👧 the three', '👨‍👩‍👧'],
  ['1️⃣ Rex', '1️⃣'],
  ['नि', 'नि'],
  ['𝒜', '𝒜'],
  ['', ''],
])('the initial of "%s" is "%s"', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});
