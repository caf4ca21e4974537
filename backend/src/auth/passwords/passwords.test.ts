import { expect, it } from 'vitest';
import { maxPasswordLength } from './password-policy.ts';
import { createPasswords } from './passwords.ts';

it('a text that is longer than any password is wrong, after the same work as any wrong password', async () => {
  const hashed: string[] = [];
  const passwords = createPasswords(
    {
      hashing(address, hash) {
        hashed.push(address);
        return hash();
      },
    },
    16,
  );
  const longest = 'x'.repeat(maxPasswordLength);
  const stored = await passwords.hash(longest, 'made');
  expect(await passwords.verify(longest, stored, 'right')).toBe(true);
  const longer = await passwords.hash(`${longest}x`, 'made longer');
  expect(await passwords.verify(`${longest}x`, longer, 'too long')).toBe(false);
  expect(await passwords.verify(`${longest}x`, null, 'of nobody')).toBe(false);
  expect(hashed).toEqual(['made', 'right', 'made longer', 'too long', 'of nobody']);
});
