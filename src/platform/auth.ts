import type { SignedInUser } from '../../schemas/account.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** False: the sign-in ends with the browser session, and there is no background sync. */
  readonly keepSignedIn: boolean;
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
}
