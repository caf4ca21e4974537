import { join } from 'node:path';
import { SignJWT } from 'jose';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../tests/support/fakes/manual-clock.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { tempFolder } from '../../../tests/support/temp-folder.ts';
import { newAccount, withoutSessions } from '../accounts/account.ts';
import { createAccountStore } from '../accounts/account-store.ts';
import { AuthError } from '../auth-error.ts';
import { createSeal } from './seal.ts';
import { createSessions } from './sessions.ts';
import { loadSigningKey } from './signing-key.ts';

const profile = { email: 'ida@example.com', displayName: 'Ida', password: null, google: null };
const projectId = 'demo-pawpals';
const expired = ['TOKEN_EXPIRED', 'TOKEN_EXPIRED'];

/** An account of a version without eras, and the tokens of a sign-in that it made some seconds after the last revocation. */
async function setUp({ afterS = 0, era = '' } = {}) {
  const clock = createManualClock();
  const nowMs = () => clock.now();
  const key = await loadSigningKey(join(await tempFolder(), 'signing-key.pem'));
  const store = createAccountStore(createMemoryStore());
  const account = { ...newAccount(profile, nowMs()), era };
  await store.add(account);
  const { uid, validSinceS } = account;
  const authTimeS = validSinceS + afterS;
  const refreshTokens = createSeal({ key, purpose: 'refresh token', schema: v.any() });
  const idToken = await new SignJWT({ auth_time: authTimeS, user_id: uid, email: account.email })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setSubject(uid)
    .setIssuer(`https://securetoken.google.com/${projectId}`)
    .setAudience(projectId)
    .setIssuedAt(validSinceS)
    .setExpirationTime(validSinceS + 3600)
    .sign(key.privateKey);
  const sessions = createSessions({ store, key, projectId, nowMs, recentLoginSeconds: 300 });
  const refreshToken = refreshTokens.seal({ uid, authTimeS, provider: 'password' });
  return { clock, store, account, sessions, idToken, refreshToken };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

/** Returns the codes with which the tokens are refused. */
async function refusals({ sessions, idToken, refreshToken }: SetUp) {
  const codeOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => undefined,
      (error: unknown) => error instanceof AuthError && error.code,
    );
  return [
    await codeOf(sessions.authenticate(idToken)),
    await codeOf(sessions.refresh(refreshToken)),
  ];
}

describe('after an upgrade from a version without eras', () => {
  it('a session goes on until its account is revoked', async () => {
    const setup = await setUp();
    const { clock, store, account, sessions, idToken, refreshToken } = setup;
    const { token } = await sessions.authenticate(idToken);
    const refreshed = await sessions.refresh(refreshToken);
    const again = await sessions.authenticate(refreshed.idToken);
    expect(again.account).toEqual(account);
    expect([token, again.token].map((each) => sessions.isCurrent(each))).toEqual([true, true]);
    await store.change(account.uid, (now) => withoutSessions(now, clock.now()));
    expect(await refusals({ ...setup, idToken: refreshed.idToken })).toEqual(expired);
    expect(await refusals(setup)).toEqual(expired);
    expect([token, again.token].map((each) => sessions.isCurrent(each))).toEqual([false, false]);
  });

  it('a session that was revoked before stays so', async () => {
    expect(await refusals(await setUp({ afterS: -1 }))).toEqual(expired);
  });

  it('a token without an era is none of an account that has one', async () => {
    expect(await refusals(await setUp({ era: 'first' }))).toEqual(expired);
  });

  it('a new session is valid, also of a clock that was set back', async () => {
    const { clock, account, sessions } = await setUp();
    clock.set(clock.now() - 600_000);
    const { idToken, refreshToken } = await sessions.start(account, 'password');
    await expect(sessions.requireAccount(idToken, { isRecent: true })).resolves.toEqual(account);
    await expect(sessions.authenticate(idToken)).resolves.toMatchObject({ account });
    await expect(sessions.refresh(refreshToken)).resolves.toMatchObject({ account });
  });
});
