import type { FirebaseAuthenticationPlugin } from '@capacitor-firebase/authentication';
import { registerPlugin } from '@capacitor/core';
import { GoogleAuthProvider, signInWithCredential, type Auth } from 'firebase/auth';
import { AuthError } from '../auth/auth.ts';
import type { GoogleSignIn } from '../auth/google-sign-in.ts';

/** Registered by name: the plugin's own module would bring a second copy of all of Firebase Auth for the web. */
const plugin = registerPlugin<FirebaseAuthenticationPlugin>('FirebaseAuthentication');

/**
 * The plugin has no code for it, on either system: the message is all there is. One that is not recognised reads "Something
 * went wrong", which is no harm.
 */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && /cancel/i.test(error.message);
}

async function askSystem() {
  try {
    return await plugin.signInWithGoogle({ skipNativeAuth: true });
  } catch (error) {
    const code = isCancelled(error) ? 'auth/popup-closed-by-user' : 'auth/internal-error';
    throw new AuthError(code, { cause: error });
  }
}

/**
 * Google's sign-in of the system: its account list gives a credential, which is exchanged here for a sign-in of the page. The
 * native side keeps none (`skipNativeAuth`).
 */
export function openNativeGoogle(auth: Auth): GoogleSignIn {
  return {
    signIn: async () => {
      const { credential } = await askSystem();
      if (credential?.idToken === undefined) throw new AuthError('auth/internal-error');
      const { idToken, accessToken } = credential;
      return signInWithCredential(auth, GoogleAuthProvider.credential(idToken, accessToken));
    },
  };
}
