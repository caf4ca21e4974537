import { describe, expect, it } from 'vitest';
import { createSignUpLimit } from './sign-up-limit.ts';

describe('the limit of new accounts', () => {
  it('is a hundred an hour from one network address', () => {
    let now = 1_000_000;
    const limit = createSignUpLimit(() => now);
    const signUp = (address = '192.0.2.7') => limit.charge(address);
    for (let account = 0; account < 100; account++) signUp();
    expect(() => signUp()).toThrow('TOO_MANY_ATTEMPTS_TRY_LATER');
    expect(() => signUp('192.0.2.8')).not.toThrow();
    now += 36_000;
    expect(() => signUp()).not.toThrow();
    expect(() => signUp()).toThrow('TOO_MANY_ATTEMPTS_TRY_LATER');
  });

  it.each(['127.0.0.1', '0:0:0:0'])('is none on this very machine: %s', (address) => {
    const limit = createSignUpLimit(() => 1_000_000);
    for (let account = 0; account < 500; account++) limit.charge(address);
    expect(() => limit.charge(address)).not.toThrow();
  });
});
