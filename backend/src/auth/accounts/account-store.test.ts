import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { underPrefix } from '../../store/key-value-store.ts';
import { createResetCodes } from '../passwords/reset-codes.ts';
import { newAccount } from './account.ts';
import { createAccountStore } from './account-store.ts';

async function openWithAccount() {
  const store = createMemoryStore();
  const accounts = createAccountStore(store);
  const google = { sub: '1', email: 'a@b.c', displayName: '' };
  const account = newAccount({ email: 'a@b.c', displayName: '', password: null, google }, 1000);
  await accounts.add(account);
  const { uid } = account;
  const refresh = () =>
    accounts.addRefreshToken({ uid, authTimeS: 1, provider: 'password' as const });
  return { store, accounts, uid, refresh };
}

describe('the secrets of an account', () => {
  it('are found by themselves only, and the store holds none of them', async () => {
    const { store, accounts, uid, refresh } = await openWithAccount();
    const token = await refresh();
    expect(accounts.findRefreshToken(token)).toEqual({ uid, authTimeS: 1, provider: 'password' });
    expect(accounts.findRefreshToken(`${token}x`)).toBeUndefined();
    expect(createResetCodes(store).find(token)).toBeUndefined();
    const stored = [...store.range(underPrefix('auth/'))];
    expect(stored.filter(([key, value]) => `${key.toString()} ${value}`.includes(token))).toEqual(
      [],
    );
  });

  it('are a hundred refresh tokens and five codes, the oldest of which go first', async () => {
    const { store, accounts, uid, refresh } = await openWithAccount();
    const tokens: string[] = [];
    for (let count = 0; count < 101; count += 1) tokens.push(await refresh());
    const isGood = tokens.map((each) => accounts.findRefreshToken(each) !== undefined);
    expect(isGood).toEqual([false, ...Array.from({ length: 100 }, () => true)]);
    const codes = createResetCodes(store);
    const issued: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      issued.push(await codes.issue({ uid, passwordChangedMs: 1, expiresAtMs: count }));
    }
    expect(issued.map((each) => codes.find(each)?.expiresAtMs)).toEqual([undefined, 1, 2, 3, 4, 5]);
  });

  it('go with the account, of which nothing is left', async () => {
    const { store, accounts, uid, refresh } = await openWithAccount();
    await refresh();
    await createResetCodes(store).issue({ uid, passwordChangedMs: 1, expiresAtMs: 1 });
    expect(await accounts.remove(uid, [])).toBe(true);
    expect([...store.range(underPrefix('auth/'))]).toEqual([]);
  });
});
