import { expect, it } from 'vitest';
import { newAccount, withoutSessions } from './account.ts';

it('ends the sessions of an account each time, also twice at the same time', () => {
  const profile = { email: 'robin@pawpals.example', displayName: '', password: null, google: null };
  const account = newAccount(profile, 5_000);
  const once = withoutSessions(account, 5_000);
  const twice = withoutSessions(once, 5_000);
  expect(new Set([account.era, once.era, twice.era]).size).toBe(3);
});
