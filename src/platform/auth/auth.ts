import type { SignedInUser } from '../../../schemas/forms/account.ts';

export interface SignInChoice {
  /** False: the sign-in ends with the browser session, and there is no background sync. */
  readonly keepSignedIn: boolean;
}

export interface GoogleSignInEvents {
  /** The window is closed. What it has led to may still be on its way: the answer comes later. */
  readonly onClosed: () => void;
  /** The account was made by this sign-in. Called before the sign-in resolves. */
  readonly onNewAccount: () => void;
}

export interface Credentials extends SignInChoice {
  readonly email: string;
  readonly password: string;
}

/** What a failed request says: the provider's code, as `auth/invalid-credential`. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/**
 * The identity provider. Its code is loaded with the first call, so that the first screen of a returning owner does not
 * wait for it. All requests fail with an {@link AuthError} only.
 */
export interface Auth {
  signIn(credentials: Credentials): Promise<SignedInUser>;
  register(credentials: Credentials): Promise<SignedInUser>;
  /** Loads what Google's sign-in needs, so that its window opens within the moment a browser allows after a click. */
  prepareGoogle(): Promise<void>;
  /** Google's window in a browser, the system's own account list in the native wrapper. */
  signInWithGoogle(choice: SignInChoice, events: GoogleSignInEvents): Promise<SignedInUser>;
  /** The answer says nothing of whether there is an account of that address. */
  sendPasswordReset(email: string): Promise<void>;
  /** @param reset the code of the link in the e-mail, and the new password. */
  confirmPasswordReset(reset: { readonly code: string; readonly password: string }): Promise<void>;
}
