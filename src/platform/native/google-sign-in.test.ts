import { initializeApp } from 'firebase/app';
import { initializeAuth, inMemoryPersistence } from 'firebase/auth';
import { afterEach, describe, expect, it } from 'vitest';
import { installNativeBridge } from '../../../tests/support/fakes/native-bridge.ts';

const native = installNativeBridge();
const app = initializeApp({ apiKey: 'key', projectId: 'demo' });
const auth = initializeAuth(app, { persistence: inMemoryPersistence });

afterEach(() => {
  native.reset();
});

async function signInWithAnswer(answer: unknown): Promise<unknown> {
  native.answers.set('FirebaseAuthentication.signInWithGoogle', answer);
  const { openNativeGoogle } = await import('./google-sign-in.ts');
  return openNativeGoogle(auth).signIn(() => undefined);
}

/** The exchange of the credential needs a browser and a server: tests/e2e/native.e2e.ts tests it. */
describe('Google in the wrapper', () => {
  it.each([
    ['The user canceled the sign-in flow.', 'auth/popup-closed-by-user'],
    ['activity is cancelled by the user.', 'auth/popup-closed-by-user'],
    ['No Google account on this device', 'auth/internal-error'],
  ])('tells "%s" as %s', async (message, code) => {
    const signIn = signInWithAnswer(new Error(message));
    await expect(signIn).rejects.toMatchObject({ name: 'AuthError', code });
    expect(native.calls).toMatchObject([
      { methodName: 'signInWithGoogle', options: { skipNativeAuth: true } },
    ]);
  });

  it.each([{}, { credential: null }, { credential: { providerId: 'google.com' } }])(
    'does not take %o for a sign-in',
    async (answer) => {
      const signIn = signInWithAnswer(answer);
      await expect(signIn).rejects.toMatchObject({ code: 'auth/internal-error' });
    },
  );
});
