import { initializeApp } from 'firebase/app';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ChunkLoadError, type ChunkFailure } from '../../lib/async/load-chunk.ts';
import { createFirebaseAuth } from './firebase-auth.ts';

it.each<[ChunkFailure, string]>([
  ['missing', 'pawpals/reload'],
  ['remembered', 'pawpals/reload'],
  ['timeout', 'auth/network-request-failed'],
  ['error', 'auth/network-request-failed'],
])('tells what to do when the code of the sign-in with Google is %s', async (reason, code) => {
  vi.doMock('./google-sign-in.ts', () => ({
    get openGooglePopup() {
      throw new ChunkLoadError('google-sign-in', reason);
    },
  }));
  onTestFinished(() => vi.doUnmock('./google-sign-in.ts'));
  const app = initializeApp({ apiKey: 'key', projectId: 'demo-pawpals' }, reason);
  const auth = createFirebaseAuth({
    app,
    serverOrigin: null,
    appOrigin: 'https://pawpals.example',
  });
  await expect(auth.prepareGoogle()).rejects.toMatchObject({ name: 'AuthError', code });
  const events = { onClosed: () => undefined, onNewAccount: () => undefined };
  const signingIn = auth.signInWithGoogle({ keepSignedIn: false }, events);
  await expect(signingIn).rejects.toMatchObject({ name: 'AuthError', code });
});
