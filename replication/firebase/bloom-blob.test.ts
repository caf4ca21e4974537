import { expect, it } from 'vitest';
import { Integer } from './bloom-blob.ts';

it('orders numbers beyond the precision of a double, as the Firestore SDK expects', () => {
  const lower = Integer.fromString('9007199254740992');
  const higher = Integer.fromString('9007199254740993');
  expect(lower.compare(higher)).toBeLessThan(0);
  expect(higher.compare(lower)).toBeGreaterThan(0);
  expect(lower.compare(Integer.fromString('9007199254740992'))).toBe(0);
});

it('refuses what is no number', () => {
  expect(() => Integer.fromString('4x')).toThrow(SyntaxError);
});
