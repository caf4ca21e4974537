import type { SignedInUser } from '../../../schemas/forms/account.ts';
import { ChunkLoadError } from '../../lib/async/load-chunk.ts';

export interface SignInChoice {
  /** Whether the sign-in outlives the browser session. If false, there is no background sync either. */
  readonly keepSignedIn: boolean;
}

export interface GoogleSignInEvents {
  /** The window has closed. The result of the sign-in may still be in flight. */
  readonly onClosed: () => void;
  /** The sign-in has created the account. Called before the sign-in resolves. */
  readonly onNewAccount: () => void;
}

export interface Credentials extends SignInChoice {
  readonly email: string;
  readonly password: string;
}

/** The error of a failed request, with the provider's code, such as `auth/invalid-credential`. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** Returns the error of a request whose code did not load. */
export function notLoaded(cause: unknown): AuthError {
  const needsReload = cause instanceof ChunkLoadError && cause.needsReload;
  return new AuthError(needsReload ? 'pawpals/reload' : 'auth/network-request-failed', { cause });
}

/** Returns whether a request has no answer, so that the server may have carried it out. */
export function isUnanswered(error: unknown): boolean {
  const codes = ['auth/network-request-failed', 'auth/timeout'];
  return error instanceof AuthError && codes.includes(error.code);
}

/**
 * The identity provider. Its code loads with the first call, so that the first screen of a returning owner does not
 * wait for it. All requests reject only with an {@link AuthError}.
 */
export interface Auth {
  signIn(credentials: Credentials): Promise<SignedInUser>;
  register(credentials: Credentials): Promise<SignedInUser>;
  /** Loads Google's sign-in, so that its window opens within the time that a browser allows after a click. */
  prepareGoogle(): Promise<void>;
  /** Signs in with Google's window in a browser, or with the system's account list in the native wrapper. */
  signInWithGoogle(choice: SignInChoice, events: GoogleSignInEvents): Promise<SignedInUser>;
  /** Requests a password reset. The answer does not tell whether the address has an account. */
  sendPasswordReset(email: string): Promise<void>;
  /** Sets a new password. @param reset the code of the link in the e-mail, and the new password. */
  confirmPasswordReset(reset: { readonly code: string; readonly password: string }): Promise<void>;
}
