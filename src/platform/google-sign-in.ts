import {
  GoogleAuthProvider,
  browserPopupRedirectResolver,
  signInWithPopup,
  type Auth,
  type UserCredential,
} from 'firebase/auth';

/**
 * Google's popup. Loaded with the first use of Google: a browser opens popups for a moment after a click only, so screens
 * that offer the button ask for this code before it is pressed.
 */
export interface GoogleSignIn {
  signIn(): Promise<UserCredential>;
}

interface GooglePopupOptions {
  readonly auth: Auth;
  /** A server of our own, or an emulator, serves the account chooser and needs no script of Google's. */
  readonly hasOwnChooser: boolean;
}

export async function openGooglePopup(options: GooglePopupOptions): Promise<GoogleSignIn> {
  const { auth, hasOwnChooser } = options;
  if (hasOwnChooser) {
    const { installGapiStub } = await import('./gapi-stub.ts');
    installGapiStub();
  }
  const provider = new GoogleAuthProvider();
  provider.setCustomParameters({ prompt: 'select_account' });
  return { signIn: () => signInWithPopup(auth, provider, browserPopupRedirectResolver) };
}
