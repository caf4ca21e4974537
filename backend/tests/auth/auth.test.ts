import {
  createUserWithEmailAndPassword,
  deleteUser,
  fetchSignInMethodsForEmail,
  getAdditionalUserInfo,
  reload,
  signInWithEmailAndPassword,
  signOut,
  updatePassword,
  updateProfile,
} from 'firebase/auth';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { liteApp, liteUser } from '../support/clients/lite-user.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { testPassword } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

const code = (wanted: string) => ({ code: `auth/${wanted}` });

describe('firebase/auth', () => {
  it('signs up, out and in again, whatever the case of the address', async () => {
    const backend = await startBackend();
    const { auth, uid } = await liteUser(backend.port, 'Kaethe@Example.com');
    await signOut(auth);
    const { user } = await signInWithEmailAndPassword(auth, 'kaethe@example.COM', testPassword);
    expect([user.uid, user.email, user.emailVerified]).toEqual([uid, 'kaethe@example.com', false]);
    expect(user.providerData.map((each) => each.providerId)).toEqual(['password']);
  });

  it('says of a sign-up that the user is new, and of a sign-in that it is not', async () => {
    const { auth } = liteApp((await startBackend()).port);
    const signUp = await createUserWithEmailAndPassword(auth, 'new@example.com', testPassword);
    expect(getAdditionalUserInfo(signUp)?.isNewUser).toBe(true);
    const signIn = await signInWithEmailAndPassword(auth, 'new@example.com', testPassword);
    expect(getAdditionalUserInfo(signIn)?.isNewUser).toBe(false);
  });

  it('keeps accounts, names and sessions over a restart', async () => {
    const dataDir = await tempFolder();
    const first = await startBackend({ dataDir });
    const { auth, user, email } = await liteUser(first.port);
    await updateProfile(user, { displayName: 'Käthe' });
    await first.stop();
    await startBackend({ dataDir, port: first.port });
    const before = await user.getIdToken();
    expect(await user.getIdToken(true)).not.toBe('');
    await reload(user);
    expect(user.displayName).toBe('Käthe');
    expect(before.split('.').length).toBe(3);
    await expect(signInWithEmailAndPassword(auth, email, testPassword)).resolves.toBeDefined();
  });

  it('refreshes a token, which then carries the new name', async () => {
    const backend = await startBackend();
    const { user } = await liteUser(backend.port);
    await updateProfile(user, { displayName: 'Rex' });
    const { claims } = await user.getIdTokenResult(true);
    expect(claims).toMatchObject({
      name: 'Rex',
      sub: user.uid,
      user_id: user.uid,
      aud: 'demo-pawpals',
      iss: 'https://securetoken.google.com/demo-pawpals',
      email_verified: false,
      firebase: { sign_in_provider: 'password', identities: { email: [user.email] } },
    });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(3600);
  });

  it('does not tell a wrong password from an unknown address', async () => {
    const backend = await startBackend();
    const { auth, email } = await liteUser(backend.port);
    for (const [address, password] of [
      [email, 'wrong password'],
      ['nobody@example.com', testPassword],
    ] as const) {
      await expect(signInWithEmailAndPassword(auth, address, password)).rejects.toMatchObject(
        code('invalid-credential'),
      );
    }
    expect(await fetchSignInMethodsForEmail(auth, email)).toEqual(
      await fetchSignInMethodsForEmail(auth, 'nobody@example.com'),
    );
  });

  it('refuses duplicate, malformed and weak sign-ups with their own codes', async () => {
    const backend = await startBackend();
    const { auth, email } = await liteUser(backend.port);
    const signUp = (address: string, password: string) =>
      createUserWithEmailAndPassword(auth, address, password);
    await expect(signUp(email.toUpperCase(), testPassword)).rejects.toMatchObject(
      code('email-already-in-use'),
    );
    await expect(signUp('no address', testPassword)).rejects.toMatchObject(code('invalid-email'));
    await expect(signUp('new@example.com', '')).rejects.toMatchObject(code('missing-password'));
    await expect(signUp('new@example.com', '12345')).rejects.toMatchObject(
      code('password-does-not-meet-requirements'),
    );
  });

  it('takes no sign-ups where they are switched off, and lets those in who have an account', async () => {
    const dataDir = await tempFolder();
    const open = await startBackend({ dataDir });
    const { auth, email } = await liteUser(open.port);
    await open.stop();
    const closed = await startBackend({ dataDir, port: open.port, takesSignUps: false });
    await expect(
      createUserWithEmailAndPassword(auth, 'new@example.com', testPassword),
    ).rejects.toMatchObject(code('admin-restricted-operation'));
    const { user } = await signInWithEmailAndPassword(
      liteApp(closed.port).auth,
      email,
      testPassword,
    );
    expect(user.email).toBe(email);
  });

  it('gives an address to one of several sign-ups at the same time', async () => {
    const backend = await startBackend();
    const { auth } = liteApp(backend.port);
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        createUserWithEmailAndPassword(auth, 'one@example.com', testPassword),
      ),
    );
    expect(results.filter((each) => each.status === 'fulfilled').length).toBe(1);
  });

  it('a new password ends the other sessions and keeps its own', async () => {
    const backend = await startBackend({ clock: createManualClock(Date.now()) });
    const { auth, user, email } = await liteUser(backend.port);
    const other = liteApp(backend.port);
    const { user: elsewhere } = await signInWithEmailAndPassword(other.auth, email, testPassword);
    await updatePassword(user, 'An0ther-password');
    await expect(elsewhere.getIdToken(true)).rejects.toMatchObject(code('user-token-expired'));
    await expect(user.getIdToken(true)).resolves.toBeDefined();
    await expect(signInWithEmailAndPassword(auth, email, testPassword)).rejects.toMatchObject(
      code('invalid-credential'),
    );
    await expect(
      signInWithEmailAndPassword(auth, email, 'An0ther-password'),
    ).resolves.toBeDefined();
  });

  it('keeps both of two changes made at the same time', async () => {
    const backend = await startBackend();
    const { auth, user, email } = await liteUser(backend.port);
    const idToken = await user.getIdToken();
    const { account } = rawClient(backend);
    await Promise.all([
      account('update', { idToken, password: 'An0ther-password' }),
      account('update', { idToken, displayName: 'Rex' }),
    ]);
    const again = await signInWithEmailAndPassword(auth, email, 'An0ther-password');
    expect(again.user.displayName).toBe('Rex');
  });

  it('asks for a recent sign-in before a password change or a deletion', async () => {
    const clock = createManualClock(Date.now());
    const backend = await startBackend({ clock });
    const { user } = await liteUser(backend.port);
    clock.advance(301_000);
    await expect(updatePassword(user, 'An0ther-password')).rejects.toMatchObject(
      code('requires-recent-login'),
    );
    await expect(deleteUser(user)).rejects.toMatchObject(code('requires-recent-login'));
    await expect(updateProfile(user, { displayName: 'x' })).resolves.toBeUndefined();
  });

  it('deletes an account, whose address is free again and whose tokens are worth nothing', async () => {
    const backend = await startBackend();
    const { auth, user, email, uid } = await liteUser(backend.port);
    const idToken = await user.getIdToken();
    const elsewhere = liteApp(backend.port);
    const other = await signInWithEmailAndPassword(elsewhere.auth, email, testPassword);
    await deleteUser(user);
    const refreshed = await fetch(
      `http://127.0.0.1:${backend.port}/securetoken.googleapis.com/v1/token`,
      {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: other.user.refreshToken,
        }),
      },
    );
    expect(await refreshed.json()).toMatchObject({ error: { message: 'USER_NOT_FOUND' } });
    await expect(other.user.getIdToken(true)).rejects.toMatchObject(code('user-token-expired'));
    expect(elsewhere.auth.currentUser).toBeNull();
    const response = await fetch(
      `http://127.0.0.1:${backend.port}/identitytoolkit.googleapis.com/v1/accounts:lookup`,
      {
        method: 'POST',
        body: JSON.stringify({ idToken }),
      },
    );
    expect(await response.json()).toMatchObject({
      error: { code: 400, message: 'USER_NOT_FOUND' },
    });
    const again = await createUserWithEmailAndPassword(auth, email, testPassword);
    expect(again.user.uid).not.toBe(uid);
  });
});
