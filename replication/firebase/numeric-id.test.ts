import { expect, it } from 'vitest';
import { Integer } from './numeric-id.ts';

it('orders numbers beyond the precision of a double, as the Firestore SDK expects', () => {
  const small = Integer.fromString('9007199254740992');
  const large = Integer.fromString('9007199254740993');
  expect(small.compare(large)).toBeLessThan(0);
  expect(large.compare(small)).toBeGreaterThan(0);
  expect(small.compare(Integer.fromString('9007199254740992'))).toBe(0);
});

it('refuses what is no number', () => {
  expect(() => Integer.fromString('4x')).toThrow(SyntaxError);
});
