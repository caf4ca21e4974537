import type { FirebaseAuthenticationPlugin } from '@capacitor-firebase/authentication';
import { registerPlugin } from '@capacitor/core';
import { GoogleAuthProvider, signInWithCredential, type Auth } from 'firebase/auth';
import { AuthError } from '../auth.ts';
import type { GoogleSignIn } from '../google-sign-in.ts';

/** Registered by name: the plugin's own module would bring a second copy of all of Firebase Auth for the web. */
const plugin = registerPlugin<FirebaseAuthenticationPlugin>('FirebaseAuthentication');

const cancelled = /popup-closed-by-user$|cancel/i;

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const isCancelled = typeof code === 'string' && cancelled.test(code);
  return isCancelled ? 'auth/popup-closed-by-user' : 'auth/internal-error';
}

async function askSystem() {
  try {
    return await plugin.signInWithGoogle({ skipNativeAuth: true });
  } catch (error) {
    throw new AuthError(codeOf(error), { cause: error });
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
