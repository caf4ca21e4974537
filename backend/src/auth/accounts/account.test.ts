import { describe, expect, it } from 'vitest';
import { checkEmail, newAccount, withoutSessions } from './account.ts';

it('ends the sessions of an account each time, also twice at the same time', () => {
  const profile = { email: 'robin@pawpals.example', displayName: '', password: null, google: null };
  const account = newAccount(profile, 5_000);
  const once = withoutSessions(account, 5_000);
  const twice = withoutSessions(once, 5_000);
  expect(new Set([account.era, once.era, twice.era]).size).toBe(3);
});

describe('an address', () => {
  it.each([
    ['in composed and in decomposed characters', 'CAFE\u0301@x.example', 'caf\u00e9@x.example'],
    [
      'with a letter whose lower case is decomposed',
      '\u0130\u0323@x.example',
      'i\u0323\u0307@x.example',
    ],
  ])('%s is one address', (_, written, stored) => {
    expect(checkEmail(written)).toBe(stored.normalize('NFC'));
    expect(checkEmail(checkEmail(written))).toBe(checkEmail(written));
  });

  it.each([
    ['has no UTF-8 encoding', '\ud800@x.example'],
    ['is too long in lower case', `${'\u0130'.repeat(240)}@x.example`],
    ['is too long before it is composed', `${'\u03c9\u0314\u0342\u0345'.repeat(200)}@x.example`],
  ])('that %s is refused', (_, email) => {
    expect(() => checkEmail(email)).toThrow('INVALID_EMAIL');
  });
});
