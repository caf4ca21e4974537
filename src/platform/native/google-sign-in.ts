import type { FirebaseAuthenticationPlugin } from '@capacitor-firebase/authentication';
import { registerPlugin } from '@capacitor/core';
import { GoogleAuthProvider, signInWithCredential, type Auth } from 'firebase/auth';
import { AuthError } from '../auth/auth.ts';
import type { GoogleSignIn } from '../auth/google-sign-in.ts';

/** The plugin is registered by name, because its own module would bundle a second copy of Firebase Auth for the web. */
const plugin = registerPlugin<FirebaseAuthenticationPlugin>('FirebaseAuthentication');

/**
 * Recognizes a cancelled sign-in by its message, because the plugin has no code for it on either system. An
 * unrecognized one reads "Something went wrong", which is harmless.
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
 * Opens the system's Google sign-in: its account list returns a credential, which is exchanged for a sign-in of the
 * page. The native side keeps no sign-in (`skipNativeAuth`).
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
