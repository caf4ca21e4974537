import {
  EmailAuthProvider,
  GoogleAuthProvider,
  deleteUser,
  getAdditionalUserInfo,
  linkWithCredential,
  reauthenticateWithCredential,
  reload,
  signInWithCredential,
  signInWithEmailAndPassword,
  type Auth,
} from 'firebase/auth';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/json.ts';
import { liteApp, liteUser } from '../support/clients/lite-user.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { testPassword, newEmail } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';

const chooserCode = 'ABCDE23456';
/** The request headers of the chooser's page in a browser that has the code. */
const json = { 'Content-Type': 'application/json', Cookie: `pawpals-chooser=${chooserCode}` };

const code = (wanted: string) => ({ code: `auth/${wanted}` });

async function setUp(options: Parameters<typeof startBackend>[0] = {}) {
  const clock = createManualClock(Date.now());
  const backend = await startBackend({ clock, chooserCode, ...options });
  const client = rawClient(backend);
  const { auth } = liteApp(backend.port);
  /** Chooses an account, as the chooser's page does. */
  const choose = async (email: string, displayName = 'Robin') => {
    const headers = { ...json, Origin: client.origin };
    const { status, body } = await client.json(
      '/emulator/auth/choose',
      { email, displayName },
      headers,
    );
    if (status !== 200 || !isJsonObject(body)) throw new Error(`refused with ${status}`);
    return GoogleAuthProvider.credential(String(body['idToken']));
  };
  const signIn = async (email: string, as: Auth = auth) =>
    signInWithCredential(as, await choose(email));
  return { auth, backend, client, clock, choose, signIn };
}

const providersOf = ({ providerData }: { providerData: readonly { providerId: string }[] }) =>
  providerData.map((each) => each.providerId);

describe('Google', () => {
  it('creates an account with a verified address, and finds it again', async () => {
    const { backend, signIn } = await setUp();
    const first = await signIn('Robin@Example.com');
    const { user } = first;
    expect([user.email, user.emailVerified, user.displayName]).toEqual([
      'robin@example.com',
      true,
      'Robin',
    ]);
    expect(providersOf(user)).toEqual(['google.com']);
    expect(getAdditionalUserInfo(first)).toMatchObject({
      isNewUser: true,
      providerId: 'google.com',
      profile: { email: 'robin@example.com' },
    });
    const { claims } = await user.getIdTokenResult();
    expect(claims).toMatchObject({
      email_verified: true,
      firebase: {
        sign_in_provider: 'google.com',
        identities: { 'google.com': [expect.stringMatching(/^\d{21}$/)] },
      },
    });
    const again = await signIn('robin@example.com', liteApp(backend.port).auth);
    expect([again.user.uid, getAdditionalUserInfo(again)?.isNewUser]).toEqual([user.uid, false]);
    // A refreshed token keeps the sign-in provider of its session.
    expect((await user.getIdTokenResult(true)).signInProvider).toBe('google.com');
  });

  it('takes over an account with an unverified address and removes its password and sessions', async () => {
    const { backend, signIn } = await setUp();
    const squatter = await liteUser(backend.port);
    const { user } = await signIn(squatter.email, liteApp(backend.port).auth);
    expect([user.uid, user.emailVerified]).toEqual([squatter.uid, true]);
    expect(providersOf(user)).toEqual(['google.com']);
    await expect(squatter.user.getIdToken(true)).rejects.toMatchObject(code('user-token-expired'));
    await expect(
      signInWithEmailAndPassword(squatter.auth, squatter.email, testPassword),
    ).rejects.toMatchObject(code('invalid-credential'));
  });

  it('is linked to an account with a verified address, which keeps its password', async () => {
    const { backend, signIn, choose } = await setUp();
    const owner = await liteUser(backend.port);
    // Linking the same address while signed in proves it.
    await linkWithCredential(owner.user, await choose(owner.email));
    await reload(owner.user);
    expect(owner.user.emailVerified).toBe(true);
    const { user } = await signIn(owner.email, liteApp(backend.port).auth);
    expect(user.uid).toBe(owner.uid);
    expect(providersOf(user).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'google.com',
      'password',
    ]);
    await expect(
      signInWithEmailAndPassword(owner.auth, owner.email, testPassword),
    ).resolves.toMatchObject({ user: { uid: owner.uid } });
    await expect(owner.user.getIdToken(true)).resolves.toBeDefined();
  });

  it('of another address proves nothing about that of the account', async () => {
    const { backend, signIn, choose } = await setUp();
    const squatter = await liteUser(backend.port);
    const other = newEmail();
    await linkWithCredential(squatter.user, await choose(other));
    const { user } = await signIn(other, liteApp(backend.port).auth);
    expect([user.uid, user.email, user.emailVerified]).toEqual([
      squatter.uid,
      squatter.email,
      false,
    ]);
    await expect(
      signInWithEmailAndPassword(squatter.auth, squatter.email, testPassword),
    ).resolves.toMatchObject({ user: { uid: squatter.uid } });
    // The owner of the address takes the account over.
    await signIn(squatter.email, liteApp(backend.port).auth);
    await expect(user.getIdToken(true)).rejects.toMatchObject(code('user-token-expired'));
    await expect(squatter.user.getIdToken(true)).rejects.toMatchObject(code('user-token-expired'));
  });

  it('creates no account where sign-ups are switched off', async () => {
    const { signIn } = await setUp({ takesSignUps: false });
    await expect(signIn('robin@example.com')).rejects.toMatchObject(
      code('admin-restricted-operation'),
    );
  });

  it('creates one account for concurrent sign-ins', async () => {
    const { backend, signIn } = await setUp();
    const email = newEmail();
    const all = await Promise.all(
      Array.from({ length: 4 }, () => signIn(email, liteApp(backend.port).auth)),
    );
    expect(new Set(all.map(({ user }) => user.uid)).size).toBe(1);
  });

  it('refuses a sign-up and a password for an address that signs in with Google only', async () => {
    const { auth, client, signIn } = await setUp();
    const email = newEmail();
    await signIn(email);
    expect((await client.account('signUp', { email, password: testPassword })).body).toMatchObject({
      error: { message: 'EMAIL_EXISTS' },
    });
    await expect(signInWithEmailAndPassword(auth, email, testPassword)).rejects.toMatchObject(
      code('invalid-credential'),
    );
  });

  it('counts as a recent sign-in after reauthentication, so the account can be deleted', async () => {
    const { clock, choose, signIn } = await setUp();
    const email = newEmail();
    const { user } = await signIn(email);
    clock.advance(301_000);
    await expect(deleteUser(user)).rejects.toMatchObject(code('requires-recent-login'));
    const other = await choose(newEmail());
    await expect(reauthenticateWithCredential(user, other)).rejects.toMatchObject(
      code('user-mismatch'),
    );
    await reauthenticateWithCredential(user, await choose(email));
    await expect(deleteUser(user)).resolves.toBeUndefined();
  });

  it('cannot be linked when the Google account or its address belongs to another account', async () => {
    const { backend, choose, signIn } = await setUp();
    const email = newEmail();
    await signIn(email);
    const owner = await liteUser(backend.port);
    await expect(linkWithCredential(owner.user, await choose(email))).rejects.toMatchObject(
      code('credential-already-in-use'),
    );
    const namesake = await liteUser(backend.port);
    await expect(
      linkWithCredential(owner.user, await choose(namesake.email)),
    ).rejects.toMatchObject(code('email-already-in-use'));
  });

  it('refuses a disabled user', async () => {
    const { backend, signIn } = await setUp();
    const email = newEmail();
    const { user } = await signIn(email);
    await backend.accounts.setDisabled(user.uid, true);
    await expect(signIn(email)).rejects.toMatchObject(code('user-disabled'));
  });
});

describe('a Google token that the chooser did not issue', () => {
  it('is refused: unsigned, an ID token, malformed or expired', async () => {
    const { auth, clock, choose } = await setUp();
    const { idToken: old } = await choose('robin@example.com');
    const claims = { sub: '1', email: 'robin@example.com', email_verified: true, name: 'R' };
    const { user } = await signInWithCredential(auth, await choose('robin@example.com'));
    const [header, payload] = (old ?? '').split('.');
    const forged = [
      JSON.stringify(claims),
      `${header}.${payload}.`,
      await user.getIdToken(),
      'abc',
    ];
    const refused = code('invalid-credential');
    for (const each of forged) {
      await expect(
        signInWithCredential(auth, GoogleAuthProvider.credential(each)),
      ).rejects.toMatchObject(refused);
    }
    clock.advance(301_000);
    await expect(
      signInWithCredential(auth, GoogleAuthProvider.credential(old)),
    ).rejects.toMatchObject(refused);
  });

  it('the token of the chooser is not accepted as an ID token', async () => {
    const { client, choose } = await setUp();
    const { idToken } = await choose('robin@example.com');
    expect((await client.account('lookup', { idToken })).body).toMatchObject({
      error: { message: 'INVALID_ID_TOKEN' },
    });
  });

  it('a password cannot be linked through a sign-up', async () => {
    const { signIn } = await setUp();
    const { user } = await signIn(newEmail());
    const credential = EmailAuthProvider.credential(newEmail(), testPassword);
    await expect(linkWithCredential(user, credential)).rejects.toMatchObject(
      code('operation-not-allowed'),
    );
  });
});

describe('the chooser', () => {
  it('opens for a browser that types the code of the terminal, and for no other', async () => {
    const { client } = await setUp();
    const own = { 'Content-Type': 'application/json', Origin: client.origin };
    const page = async (headers = {}) =>
      (await fetch(`${client.origin}/emulator/auth/handler`, { headers })).text();
    const unlock = (typed: string, headers: Record<string, string> = own) =>
      client.post('/emulator/auth/unlock', JSON.stringify({ code: typed }), headers);
    const choose = (headers: Record<string, string>) =>
      client.post('/emulator/auth/choose', '{"email":"a@b.example"}', headers);
    expect(await page()).toContain('Type the code');
    expect((await choose(own)).status).toBe(403);
    for (const typed of ['', 'ABCDE23457', 'ABCDE']) expect((await unlock(typed)).status).toBe(403);
    const foreign = { ...own, Origin: 'http://localhost:3000' };
    expect((await unlock(chooserCode, foreign)).status).toBe(403);
    const { status, headers } = await unlock('abcde-23456');
    const cookie = headers.get('set-cookie') ?? '';
    expect(status).toBe(200);
    expect(cookie).toMatch(/; Path=\/emulator\/auth\/; HttpOnly; SameSite=Strict$/);
    const [Cookie = ''] = cookie.split(';');
    expect(await page({ Cookie })).toContain('Choose an account');
    expect((await choose({ ...own, Cookie })).status).toBe(200);
    expect((await choose({ ...own, Cookie: 'pawpals-chooser=ABCDE23457' })).status).toBe(403);
  });

  it.each(['X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Forwarded', 'Via'])(
    'is closed for requests that a proxy forwards with %s',
    async (name) => {
      const { client } = await setUp();
      const headers = { ...json, Origin: client.origin, [name]: '127.0.0.1' };
      const body = '{"email":"a@b.example"}';
      expect((await client.post('/emulator/auth/choose', body, headers)).status).toBe(403);
      const typed = JSON.stringify({ code: chooserCode });
      expect((await client.post('/emulator/auth/unlock', typed, headers)).status).toBe(403);
      const page = await fetch(`${client.origin}/emulator/auth/handler`, { headers });
      expect(await page.text()).toContain('Not available here');
    },
  );

  it('is closed unless it is enabled', async () => {
    const client = rawClient(await startBackend());
    const headers = { ...json, Origin: client.origin };
    expect((await client.post('/emulator/auth/choose', '{"email":"a@b.c"}', headers)).status).toBe(
      403,
    );
  });

  it('answers its own page only', async () => {
    const { backend } = await setUp();
    const { port } = backend;
    const statuses = async (headers: Record<string, string>) => {
      const path = '/emulator/auth/choose';
      return (await rawClient({ port }).post(path, '{"email":"a@b.c"}', headers)).status;
    };
    expect(await statuses({ ...json, Origin: `http://127.0.0.1:${port}` })).toBe(200);
    expect(await statuses(json)).toBe(403);
    expect(await statuses({ ...json, Origin: 'http://localhost:3000' })).toBe(403);
    expect(await statuses({ ...json, Origin: 'https://evil.example' })).toBe(403);
    const { Cookie } = json;
    expect(await statuses({ Cookie, Origin: `http://127.0.0.1:${port}` })).toBe(403);
  });

  it.each(['', 'nobody', 'a b@c.d', 'a@b.c\r\nX: y', `${'a'.repeat(300)}@b.c`])(
    'refuses the address %j',
    async (email) => {
      const { client } = await setUp();
      const headers = { ...json, Origin: client.origin };
      const { status } = await client.json('/emulator/auth/choose', { email }, headers);
      expect(status).toBe(400);
    },
  );

  it('lists the known accounts and escapes their names', async () => {
    const { client, choose: pick, auth } = await setUp();
    const name = `<script>alert(1)</script>"'&`;
    await signInWithCredential(auth, await pick('robin@example.com', name));
    const response = await fetch(`${client.origin}/emulator/auth/handler?apiKey=k`, {
      headers: json,
    });
    const page = await response.text();
    expect(page).toContain('robin@example.com');
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
    expect(response.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(page).not.toMatch(/<script>|<style|style=|\son\w+=/);
  });

  it.each([{ isBehindProxy: true }, { publicOrigin: 'https://pawpals.example' }])(
    'is closed when other machines can reach the server: %j',
    async (options) => {
      const { port } = await startBackend({ ...options, chooserCode: chooserCode });
      const { origin, account, post } = rawClient({ port });
      const headers = { ...json, Origin: origin };
      const choice = await post('/emulator/auth/choose', '{"email":"a@b.c"}', headers);
      expect(choice.status).toBe(403);
      const page = await (await fetch(`${origin}/emulator/auth/handler`)).text();
      expect(page).toContain('Not available here');
      const postBody = 'providerId=google.com&id_token=abc';
      expect((await account('signInWithIdp', { postBody })).body).toMatchObject({
        error: { message: 'OPERATION_NOT_ALLOWED' },
      });
    },
  );
});
