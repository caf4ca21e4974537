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

/** The app's own sign-in without its screens, for the page of `google-popup.test.ts`. */
export const auth = createFirebaseAuth({
  app: initializeApp(config),
  serverOrigin: location.origin,
  appOrigin: location.origin,
});

/** Signs in by the SDK's redirect, which browsers without popups use. */
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
