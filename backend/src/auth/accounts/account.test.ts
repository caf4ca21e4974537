import { expect, it } from 'vitest';
import { newAccount, withoutSessions } from './account.ts';

it('ends the sessions of an account each time, also twice in one second', () => {
  const profile = { email: 'robin@pawpals.example', displayName: '', password: null, google: null };
  const once = withoutSessions(newAccount(profile, 0), 5_000);
  expect(once.validSinceS).toBe(6);
  // A sign-in between the two is one of the second that the first has begun.
  expect(withoutSessions(once, 5_100).validSinceS).toBe(7);
});
