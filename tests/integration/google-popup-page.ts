import { initializeApp } from 'firebase/app';
import {
  GoogleAuthProvider,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  getRedirectResult,
  indexedDBLocalPersistence,
  initializeAuth,
  signInWithRedirect,
} from 'firebase/auth';
import { createFirebaseAuth } from '../../src/platform/auth/firebase-auth.ts';
import { installGapiStub } from '../../src/platform/auth/gapi-stub.ts';

const config = { apiKey: 'key', authDomain: 'demo.example', projectId: 'demo-pawpals' };

/** The page of the test beside it: the app's own sign-in, without its screens. */
export const auth = createFirebaseAuth({
  app: initializeApp(config),
  serverOrigin: location.origin,
  appOrigin: location.origin,
});

/** The SDK's other way, for browsers without popups. */
export function openRedirect() {
  installGapiStub();
  const plain = initializeAuth(initializeApp(config, 'redirect'), {
    persistence: indexedDBLocalPersistence,
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  connectAuthEmulator(plain, location.origin, { disableWarnings: true });
  return {
    leave: () => signInWithRedirect(plain, new GoogleAuthProvider()),
    result: async () => (await getRedirectResult(plain))?.user.email ?? null,
  };
}
