import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../tests/support/temp-folder.ts';
import { newAccount } from '../accounts/account.ts';
import { createIdTokens, tokenSeconds } from './id-tokens.ts';
import { loadSigningKey } from './signing-key.ts';

const profile = { email: 'ida@example.com', displayName: 'Ida', password: null, google: null };
const facts = { authTimeS: 1_800_000_000, provider: 'password', era: 'first' } as const;

async function setUp() {
  const key = await loadSigningKey(join(await tempFolder(), 'signing-key.pem'));
  const time = { nowMs: facts.authTimeS * 1000 };
  const tokens = createIdTokens({ key, projectId: 'demo-pawpals', nowMs: () => time.nowMs });
  const account = newAccount(profile, time.nowMs);
  return { tokens, time, account, token: await tokens.sign(account, facts) };
}

describe('an ID token', () => {
  it('is valid for an hour, also when it was verified before', async () => {
    const { tokens, time, account, token } = await setUp();
    const claims = { auth_time: facts.authTimeS, era: 'first' };
    const valid = { uid: account.uid, claims };
    expect(await tokens.verify(token)).toMatchObject(valid);
    time.nowMs += tokenSeconds * 1000 - 1;
    expect(await tokens.verify(token)).toMatchObject(valid);
    time.nowMs += 1;
    await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
  });

  it('with the content of a verified one and another signature is invalid', async () => {
    const { tokens, token } = await setUp();
    await tokens.verify(token);
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${Buffer.alloc(256).toString('base64url')}`;
    await expect(tokens.verify(forged)).rejects.toMatchObject({ code: 'INVALID_ID_TOKEN' });
  });
});
